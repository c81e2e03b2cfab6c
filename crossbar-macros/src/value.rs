//! The values of keys: texts, numbers within bounds, lists, each error at the value itself.

use crate::nearest::closest;
use std::ops::RangeInclusive;
use syn::{Error, Expr, ExprLit, ExprUnary, Lit, LitFloat, LitInt, LitStr, Path, UnOp};

fn wrong(given: &Expr, what: &str, help: &str) -> Error {
    Error::new_spanned(given, format!("{what}\nhelp: {help}"))
}

fn literal(given: &Expr) -> Option<&Lit> {
    match given {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

fn text(name: &str, given: &Expr) -> syn::Result<LitStr> {
    match literal(given) {
        Some(Lit::Str(text)) => Ok(text.clone()),
        _ => Err(wrong(
            given,
            &format!("`{name}` is a text"),
            &format!("write `{name} = \"..\"`"),
        )),
    }
}

/// A text that is not empty.
pub(crate) fn filled(name: &str, given: &Expr) -> syn::Result<LitStr> {
    let text = text(name, given)?;
    if text.value().trim().is_empty() {
        let what = format!("`{name}` is empty");
        return Err(wrong(given, &what, "write a text, or leave the key out"));
    }
    Ok(text)
}

/// Whether a text can be an id, or a part of one.
pub(crate) fn is_id(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    !text.is_empty() && text.chars().all(plain)
}

/// A text of the characters that ids are made of.
pub(crate) fn id(name: &str, given: &Expr) -> syn::Result<LitStr> {
    let id = text(name, given)?;
    if !is_id(&id.value()) {
        let what = format!("`{}` is no id", id.value());
        return Err(wrong(given, &what, "use one or more of A-Z a-z 0-9 _ . -"));
    }
    Ok(id)
}

/// A whole number within bounds.
pub(crate) fn integer(
    name: &str,
    given: &Expr,
    bounds: RangeInclusive<u64>,
) -> syn::Result<LitInt> {
    let (least, most) = (*bounds.start(), *bounds.end());
    let help = format!("write a whole number from {least} to {most}");
    match literal(given) {
        Some(Lit::Int(number)) if number.suffix().is_empty() => {
            let found = number.base10_parse::<u64>().ok();
            match found.filter(|value| bounds.contains(value)) {
                Some(_) => Ok(number.clone()),
                None => Err(wrong(given, &format!("`{name}` is out of range"), &help)),
            }
        }
        _ if is_negative(given) => Err(wrong(given, &format!("`{name}` is negative"), &help)),
        _ => Err(wrong(given, &format!("`{name}` is a whole number"), &help)),
    }
}

/// A number within bounds; a whole one is fine.
pub(crate) fn number(
    name: &str,
    given: &Expr,
    bounds: RangeInclusive<f64>,
) -> syn::Result<LitFloat> {
    let (least, most) = (*bounds.start(), *bounds.end());
    let help = format!("write a number from {least} to {most}");
    let digits = match literal(given) {
        Some(Lit::Int(number)) if number.suffix().is_empty() => number.base10_digits().to_owned(),
        Some(Lit::Float(number)) if number.suffix().is_empty() => number.base10_digits().to_owned(),
        _ if is_negative(given) => {
            return Err(wrong(given, &format!("`{name}` is negative"), &help));
        }
        _ => return Err(wrong(given, &format!("`{name}` is a number"), &help)),
    };
    let value = digits.parse::<f64>().ok();
    let Some(value) = value.filter(|value| bounds.contains(value)) else {
        return Err(wrong(given, &format!("`{name}` is out of range"), &help));
    };
    let span = literal(given).map_or_else(proc_macro2::Span::call_site, Lit::span);
    // Debug writes the decimal point that a literal of this type needs.
    Ok(LitFloat::new(&format!("{value:?}"), span))
}

fn is_negative(given: &Expr) -> bool {
    matches!(
        given,
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            ..
        })
    )
}

/// A list of texts.
pub(crate) fn texts(name: &str, given: &Expr) -> syn::Result<Vec<LitStr>> {
    let Expr::Array(list) = given else {
        return Err(wrong(
            given,
            &format!("`{name}` is a list of texts"),
            &format!("write `{name} = [\"..\"]`"),
        ));
    };
    let text = |item: &Expr| {
        let found = filled(name, item);
        found.map_err(|_| {
            wrong(
                item,
                &format!("`{name}` is a list of texts"),
                "write each as \"..\"",
            )
        })
    };
    list.elems.iter().map(text).collect()
}

/// A list of `server.tool`, `server.*` or bare tool names.
pub(crate) fn tools(name: &str, given: &Expr) -> syn::Result<Vec<LitStr>> {
    let tools = texts(name, given)?;
    for tool in &tools {
        let text = tool.value();
        if text.strip_suffix(".*").unwrap_or(&text).contains('*') || text == ".*" {
            let message = format!(
                "`{text}` would forbid nothing\nhelp: `*` stands only for all tools of one server: \
                 write \"server.*\", or name the tools one by one"
            );
            return Err(Error::new(tool.span(), message));
        }
    }
    Ok(tools)
}

/// One of some words.
pub(crate) fn word(name: &str, given: &Expr, words: &[&str]) -> syn::Result<String> {
    let found = text(name, given)?.value();
    if words.contains(&found.as_str()) {
        return Ok(found);
    }
    let listed = words.join("\" or \"");
    let help = match closest(&found, words) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("write \"{listed}\""),
    };
    let what = format!("`{name}` can't be \"{found}\"");
    Err(wrong(given, &what, &help))
}

/// A path.
pub(crate) fn path(name: &str, given: Expr) -> syn::Result<Path> {
    match given {
        Expr::Path(path) => Ok(path.path),
        other => Err(wrong(
            &other,
            &format!("`{name}` is the name of a crate"),
            &format!("write `{name} = its_name`, without quotes"),
        )),
    }
}
