//! `cases = ..`: the values that a task is run with, each a task of its own.

use crate::value::is_id;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, LitStr, Path, Type, parse_quote};

/// The expression of `cases`, whose literal names are sound.
pub(crate) struct Cases(Expr);

impl Cases {
    /// Checks the names that are written out; all others are checked when the tests begin.
    pub(crate) fn new(given: Expr) -> syn::Result<Self> {
        if let Expr::Array(list) = &given {
            if list.elems.is_empty() {
                let message = "there is no case\nhelp: write `cases = [(\"NAME\", value)]`";
                return Err(Error::new_spanned(&given, message));
            }
            let mut seen: Vec<String> = Vec::new();
            for name in list.elems.iter().filter_map(name_of) {
                let text = name.value();
                if !is_id(&text) {
                    let message = format!(
                        "`{text}` is no name of a case\nhelp: use one or more of A-Z a-z 0-9 _ . -"
                    );
                    return Err(Error::new(name.span(), message));
                }
                let folded = text.to_ascii_lowercase();
                if seen.contains(&folded) {
                    let message = format!(
                        "two cases are named `{text}`\nhelp: names must differ in more than case"
                    );
                    return Err(Error::new(name.span(), message));
                }
                seen.push(folded);
            }
        }
        Ok(Self(given))
    }

    /// The call that makes the tasks out of the values, each run by `body`.
    pub(crate) fn expanded(&self, krate: &Path, kind: &Type, body: &TokenStream) -> TokenStream {
        let list = &self.0;
        // What is wrong with the list is told at the list, so the whole call stands there.
        let krate = placed(quote!(#krate), list.span());
        quote_spanned!(list.span()=> #krate::__private::cases::<#kind, _, _>(#list, #body))
    }
}

/// The same tokens as if they stood somewhere else.
fn placed(tokens: TokenStream, at: Span) -> TokenStream {
    let there = |mut token: TokenTree| {
        token.set_span(at);
        token
    };
    tokens.into_iter().map(there).collect()
}

fn name_of(item: &Expr) -> Option<&LitStr> {
    match item {
        Expr::Lit(ExprLit {
            lit: Lit::Str(name),
            ..
        }) => Some(name),
        Expr::Tuple(pair) => pair.elems.first().and_then(name_of),
        _ => None,
    }
}

/// The type of the value behind a parameter `&T`: a text is kept as a `String`.
pub(crate) fn kept(kind: &Type) -> Type {
    match kind {
        Type::Path(path) if path.path.is_ident("str") => parse_quote!(::std::string::String),
        other => other.clone(),
    }
}
