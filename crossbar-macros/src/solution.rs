//! `#[crossbar::solution(task)]`: the script that solves a task.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemFn, Path, parse_quote};

pub(crate) fn expand(attributes: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    if attributes.is_empty() {
        let message = "name the task: #[crossbar::solution(my_task)]";
        return Err(Error::new(proc_macro2::Span::call_site(), message));
    }
    let task: Path = syn::parse2(attributes)?;
    let function: ItemFn = syn::parse2(item)?;
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        return Err(Error::new(
            token.span,
            "a solution is a plain `fn`, not `async`",
        ));
    }
    if signature.inputs.len() != 1 {
        let message = "a solution takes one parameter: `s: &mut crossbar::Script`";
        return Err(Error::new_spanned(&signature.ident, message));
    }
    let krate: Path = parse_quote!(::crossbar);
    let name = &signature.ident;
    let text = quote!(#function).to_string();
    Ok(quote! {
        #function

        const _: () = {
            #krate::__private::inventory::submit! {
                #krate::__private::SolutionDefinition {
                    task: <#task as #krate::__private::TaskMarker>::PLACE,
                    id: <#task as #krate::__private::TaskMarker>::ID,
                    file: file!(),
                    line: line!(),
                    text: #text,
                    play: |script: &mut #krate::Script| { #name(script); },
                }
            }
        };
    })
}
