//! `#[crossbar::solution(task)]` and `#[crossbar::broken(task)]`: a script that solves a task, or
//! one that makes a mistake in it.

use crate::nearest::closest;
use crate::signature::{Parameters, Role, conditions, wrong};
use crate::value;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, ItemFn, Path, ReturnType, Token, parse_quote};

/// The script that solves a task.
pub(crate) const SOLUTION: Role = Role {
    what: "a solution",
    attribute: "solution",
    first: "s: &mut crossbar::Script",
};

/// A script that makes a mistake in it.
pub(crate) const BROKEN: Role = Role {
    what: "a broken script",
    attribute: "broken",
    ..SOLUTION
};

/// The task, and the path to the library.
struct Attributes {
    task: Path,
    krate: Path,
}

fn attributes(role: Role, input: ParseStream<'_>) -> syn::Result<Attributes> {
    let what = format!("{} names its task", role.what);
    if input.is_empty() {
        let help = format!("write #[crossbar::{}(my_task)]", role.attribute);
        return Err(wrong(Span::call_site(), &what, &help));
    }
    let task = input
        .call(Path::parse_mod_style)
        .map_err(|error| wrong(error.span(), &what, "write the function's path"))?;
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
    Ok(Attributes { task, krate })
}

pub(crate) fn expand(
    role: Role,
    written: TokenStream,
    item: TokenStream,
) -> syn::Result<TokenStream> {
    let function = role.function(item)?;
    let attributes = (|input: ParseStream<'_>| attributes(role, input)).parse2(written)?;
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        let help = "leave `async` out: it only writes down what to do";
        let what = format!("{} can't be `async`", role.what);
        return Err(wrong(token.span, &what, help));
    }
    let parameters = role.parameters(&function)?;
    if let ReturnType::Type(_, kind) = &signature.output {
        let what = format!("{} returns nothing", role.what);
        let message = format!("{what}\nhelp: end with `;` what writes the script");
        return Err(Error::new_spanned(kind, message));
    }
    let definition = definition(&attributes, &function, &parameters);
    let krate = &attributes.krate;
    let submitted = if role.attribute == BROKEN.attribute {
        let name = signature.ident.unraw().to_string();
        quote!(#krate::__private::BrokenDefinition { name: #name, script: #definition })
    } else {
        definition
    };
    let cfg = conditions(&function);
    Ok(quote! {
        #function

        #(#cfg)*
        const _: () = {
            #krate::__private::inventory::submit! { #submitted }
        };
    })
}

/// The value that the registry collects.
fn definition(
    Attributes { task, krate }: &Attributes,
    function: &ItemFn,
    parameters: &Parameters,
) -> TokenStream {
    let name = &function.sig.ident;
    let text = quote!(#function).to_string();
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
        #krate::__private::SolutionDefinition {
            task: <#task as #krate::__private::TaskMarker>::PLACE,
            id: <#task as #krate::__private::TaskMarker>::ID,
            file: file!(),
            line: line!(),
            text: #text,
            play: #play,
        }
    }
}
