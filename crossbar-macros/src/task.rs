//! `#[crossbar::task]`: the function, a marker type of the same name, and its registration.

use crate::attributes::TaskAttributes;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Path, ReturnType, Safety, Type, parse_quote};

pub(crate) fn expand(attributes: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let attributes: TaskAttributes = syn::parse2(attributes)?;
    let function: ItemFn = syn::parse2(item)?;
    check(&function)?;
    let krate: Path = attributes
        .krate
        .clone()
        .unwrap_or_else(|| parse_quote!(::crossbar));
    let values = attributes.value(&krate);
    let name = &function.sig.ident;
    let visibility = &function.vis;
    let body = format_ident!("__crossbar_body_{}", name);
    let text = quote!(#function).to_string();
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    let returned = match &function.sig.output {
        ReturnType::Default => function.sig.ident.span(),
        ReturnType::Type(_, kind) => kind.span(),
    };
    let convert = quote::quote_spanned! {returned=>
        #krate::__private::TaskReturn::into_result(outcome)
    };
    Ok(quote! {
        #function

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it carries the function's name to the solution")]
        #visibility enum #name {}

        const _: () = {
            impl #krate::__private::TaskMarker for #name {
                const PLACE: #krate::__private::TaskPlace = #krate::__private::TaskPlace {
                    package: env!("CARGO_PKG_NAME"),
                    module: module_path!(),
                    name: #plain,
                    file: file!(),
                    line: line!(),
                };
                const ID: ::core::option::Option<&'static str> = DEFINITION.attributes.id;
            }

            fn #body<'a>(
                cx: &'a mut #krate::Context,
            ) -> #krate::__private::BodyFuture<'a> {
                ::std::boxed::Box::pin(async move {
                    let outcome = #name(cx).await;
                    #convert
                })
            }

            const DEFINITION: #krate::__private::TaskDefinition =
                #krate::__private::TaskDefinition {
                    place: <#name as #krate::__private::TaskMarker>::PLACE,
                    attributes: #values,
                    text: #text,
                    body: #body,
                };

            #krate::__private::inventory::submit! { DEFINITION }
        };
    })
}

/// Says what is wrong with a function at the place where it is wrong.
fn check(function: &ItemFn) -> syn::Result<()> {
    let signature = &function.sig;
    if signature.asyncness.is_none() {
        return Err(Error::new(
            signature.fn_token.span(),
            "a task is an `async fn`",
        ));
    }
    if let Some(token) = &signature.constness {
        return Err(Error::new(token.span(), "a task can't be `const`"));
    }
    if let Safety::Unsafe(token) = &signature.safety {
        return Err(Error::new(token.span(), "a task can't be `unsafe`"));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new(
            signature.generics.span(),
            "a task can't be generic",
        ));
    }
    if let Some(attribute) = function.attrs.iter().find(|a| a.path().is_ident("ignore")) {
        return Err(Error::new(
            attribute.span(),
            "a task can't be ignored: take it out instead",
        ));
    }
    let wanted = "a task takes one parameter: `cx: &mut crossbar::Context`";
    let mut inputs = signature.inputs.iter();
    match (inputs.next(), inputs.next()) {
        (Some(FnArg::Typed(one)), None) => match one.ty.as_ref() {
            Type::Reference(reference) if reference.mutability.is_some() => Ok(()),
            other => Err(Error::new(other.span(), wanted)),
        },
        (Some(FnArg::Receiver(receiver)), _) => Err(Error::new(
            receiver.span(),
            "a task is a free function, not a method",
        )),
        (_, Some(second)) => Err(Error::new(second.span(), wanted)),
        (None, None) => Err(Error::new(signature.paren_token.span.join(), wanted)),
    }
}
