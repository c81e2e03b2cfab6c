//! `#[crossbar::solution(task)]` and `#[crossbar::broken(task)]`: a script that solves a task, or
//! one that makes a mistake in it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemFn, Path, parse_quote};

/// What a script is to its task.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    Solution,
    Broken,
}

impl Role {
    /// The attribute's name, and the script as messages call it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Solution => ("solution", "a solution"),
            Self::Broken => ("broken", "a broken script"),
        }
    }
}

pub(crate) fn expand(
    role: Role,
    attributes: TokenStream,
    item: TokenStream,
) -> syn::Result<TokenStream> {
    let (attribute, script) = role.words();
    if attributes.is_empty() {
        let message = format!("name the task: #[crossbar::{attribute}(my_task)]");
        return Err(Error::new(proc_macro2::Span::call_site(), message));
    }
    let task: Path = syn::parse2(attributes)?;
    let function: ItemFn = syn::parse2(item)?;
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        return Err(Error::new(
            token.span,
            format!("{script} is a plain `fn`, not `async`"),
        ));
    }
    if signature.inputs.len() != 1 {
        let message = format!("{script} takes one parameter: `s: &mut crossbar::Script`");
        return Err(Error::new_spanned(&signature.ident, message));
    }
    let krate: Path = parse_quote!(::crossbar);
    let name = &signature.ident;
    let text = quote!(#function).to_string();
    let definition = quote! {
        #krate::__private::SolutionDefinition {
            task: <#task as #krate::__private::TaskMarker>::PLACE,
            id: <#task as #krate::__private::TaskMarker>::ID,
            file: file!(),
            line: line!(),
            text: #text,
            play: |script: &mut #krate::Script| { #name(script); },
        }
    };
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    let submitted = match role {
        Role::Solution => definition,
        Role::Broken => quote! {
            #krate::__private::BrokenDefinition { name: #plain, script: #definition }
        },
    };
    Ok(quote! {
        #function

        const _: () = {
            #krate::__private::inventory::submit! { #submitted }
        };
    })
}
