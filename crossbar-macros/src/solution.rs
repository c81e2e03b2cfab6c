//! `#[crossbar::solution(task)]`: the script that solves a task.

use crate::nearest::closest;
use crate::signature::{Parameters, Role, conditions, wrong};
use crate::value;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, ItemFn, Path, ReturnType, Token, parse_quote};

const ROLE: Role = Role {
    what: "a solution",
    attribute: "solution",
    first: "s: &mut crossbar::Script",
};

/// The task, and the path to the library.
struct Attributes {
    task: Path,
    krate: Path,
}

impl Parse for Attributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            let help = "write #[crossbar::solution(my_task)]";
            return Err(wrong(Span::call_site(), "a solution names its task", help));
        }
        let task = input.call(Path::parse_mod_style).map_err(|error| {
            wrong(
                error.span(),
                "a solution names its task",
                "write the function's path",
            )
        })?;
        let mut krate = parse_quote!(::crossbar);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        if !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            if key != "crate" {
                let near = closest(&key.to_string(), &["crate"]);
                let help = near.map_or("the only key is `crate`", |_| "did you mean `crate`?");
                return Err(wrong(key.span(), &format!("unknown key `{key}`"), help));
            }
            input.parse::<Token![=]>()?;
            krate = value::path("crate", input.parse::<Expr>()?)?;
        }
        Ok(Self { task, krate })
    }
}

pub(crate) fn expand(attributes: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let function = ROLE.function(item)?;
    let attributes: Attributes = syn::parse2(attributes)?;
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        let help = "leave `async` out: it only writes down what to do";
        return Err(wrong(token.span, "a solution can't be `async`", help));
    }
    let parameters = ROLE.parameters(&function)?;
    if let ReturnType::Type(_, kind) = &signature.output {
        let message = "a solution returns nothing\nhelp: end with `;` what writes the script";
        return Err(Error::new_spanned(kind, message));
    }
    Ok(expanded(&attributes, &function, &parameters))
}

fn expanded(
    Attributes { task, krate }: &Attributes,
    function: &ItemFn,
    parameters: &Parameters,
) -> TokenStream {
    let name = &function.sig.ident;
    let (text, cfg) = (quote!(#function).to_string(), conditions(function));
    let first = &parameters.first;
    let script = quote_spanned! {first.span()=>
        <#first as #krate::__private::SolutionScript>::given(script)
    };
    let play = match &parameters.case {
        None => quote!(|script, _| #name(#script)),
        Some(kind) => {
            let case = quote_spanned!(kind.span()=> case);
            quote! {
                |script, case| {
                    type Case = <#task as #krate::__private::TaskMarker>::Case;
                    if let ::core::option::Option::Some(case) = case.downcast_ref::<Case>() {
                        #name(#script, #case);
                    }
                }
            }
        }
    };
    quote! {
        #function

        #(#cfg)*
        const _: () = {
            #krate::__private::inventory::submit! {
                #krate::__private::SolutionDefinition {
                    task: <#task as #krate::__private::TaskMarker>::PLACE,
                    id: <#task as #krate::__private::TaskMarker>::ID,
                    file: file!(),
                    line: line!(),
                    text: #text,
                    play: #play,
                }
            }
        };
    }
}
