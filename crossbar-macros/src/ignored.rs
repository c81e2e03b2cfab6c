//! `#[ignore]` and `#[ignore = "why"]`, as libtest has them.

use crate::signature::wrong;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ItemFn, Lit, LitStr, Meta};

/// Takes the attribute off the function, since only tests of libtest may carry it. Comes back with
/// the reason, which is empty where none is given.
pub(crate) fn taken_off(function: &mut ItemFn) -> syn::Result<Option<LitStr>> {
    let is_it = |one: &Attribute| one.path().is_ident("ignore");
    let Some(at) = function.attrs.iter().position(is_it) else {
        return Ok(None);
    };
    let attribute = function.attrs.remove(at);
    if let Some(second) = function.attrs.iter().find(|one| is_it(one)) {
        return Err(wrong(
            second.span(),
            "`ignore` is given twice",
            "leave one of them out",
        ));
    }
    let reason = match &attribute.meta {
        Meta::Path(path) => Some(LitStr::new("", path.span())),
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(why), ..
            }) => Some(why.clone()),
            _ => None,
        },
        Meta::List(_) => None,
    };
    let Some(reason) = reason else {
        let at = match &attribute.meta {
            Meta::NameValue(pair) => pair.value.span(),
            other => other.span(),
        };
        return Err(wrong(
            at,
            "the reason is a text",
            "write `#[ignore = \"why\"]`",
        ));
    };
    Ok(Some(reason))
}
