//! `#[crossbar::task]`: the function, a marker type of the same name, and its registration.

use crate::attributes::TaskAttributes;
use crate::ignored;
use crate::signature::{Parameters, Role, conditions, wrong};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ItemFn, LitStr, Path, ReturnType, Type, parse_quote};

const ROLE: Role = Role {
    what: "a task",
    attribute: "task",
    first: "cx: &mut crossbar::Context",
};

/// A task that is sound as far as its tokens go.
struct Sound {
    attributes: TaskAttributes,
    function: ItemFn,
    parameters: Parameters,
    ignored: Option<LitStr>,
}

pub(crate) fn expand(attributes: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut function = ROLE.function(item)?;
    let attributes: TaskAttributes = syn::parse2(attributes)?;
    let ignored = ignored::taken_off(&mut function)?;
    let parameters = ROLE.parameters(&function)?;
    match (&attributes.cases, &parameters.case) {
        (Some(_), None) => {
            return Err(wrong(
                function.sig.paren_token.span.join(),
                "a task with `cases` takes its case",
                "add a second parameter, `case: &T`",
            ));
        }
        (None, Some(case)) => {
            return Err(wrong(
                case.span(),
                "nothing says which cases there are",
                "write #[crossbar::task(cases = [(\"NAME\", value), ..])]",
            ));
        }
        _ => {}
    }
    Ok(expanded(&Sound {
        attributes,
        function,
        parameters,
        ignored,
    }))
}

/// What stands in the item's place when it is no task: the item, and the marker that a solution
/// points at, so that one mistake is told once.
pub(crate) fn as_written(item: &TokenStream) -> TokenStream {
    let Ok(mut function) = ROLE.function(item.clone()) else {
        return item.clone();
    };
    let _ = ignored::taken_off(&mut function);
    if function.sig.receiver().is_some() {
        return quote!(#function);
    }
    let kept = ROLE.parameters(&function).map(|one| one.kept());
    let marker = marker(
        &function,
        &TaskAttributes::default(),
        &kept.unwrap_or_else(|_| quote!(())),
    );
    quote!(#function #marker)
}

/// The type of the function's name, by which a solution finds the task.
fn marker(function: &ItemFn, attributes: &TaskAttributes, kept: &TokenStream) -> TokenStream {
    let (name, visibility, cfg) = (&function.sig.ident, &function.vis, conditions(function));
    let (krate, id, plain) = (
        attributes.krate(),
        attributes.id(),
        name.unraw().to_string(),
    );
    quote! {
        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it carries the function's name to the solution")]
        #visibility enum #name {}

        #(#cfg)*
        impl #krate::__private::TaskMarker for #name {
            type Case = #kept;
            const PLACE: #krate::__private::TaskPlace = #krate::__private::TaskPlace {
                package: env!("CARGO_PKG_NAME"),
                module: module_path!(),
                name: #plain,
                file: file!(),
                line: line!(),
            };
            const ID: ::core::option::Option<&'static str> = #id;
        }
    }
}

fn expanded(task: &Sound) -> TokenStream {
    let krate = task.attributes.krate();
    let (function, name) = (&task.function, &task.function.sig.ident);
    let marker = marker(function, &task.attributes, &task.parameters.kept());
    let (cfg, values) = (conditions(function), task.attributes.value(&krate));
    let (text, cases) = (quote!(#function).to_string(), cases(task, &krate));
    let ignored = match &task.ignored {
        Some(why) => quote!(::core::option::Option::Some(#why)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #function

        #marker

        #(#cfg)*
        const _: () = {
            fn cases() -> ::std::vec::Vec<#krate::__private::TaskCase> {
                #cases
            }

            #krate::__private::inventory::submit! {
                #krate::__private::TaskDefinition {
                    place: <#name as #krate::__private::TaskMarker>::PLACE,
                    attributes: #values,
                    ignored: #ignored,
                    text: #text,
                    cases,
                }
            }
        };
    }
}

/// The expression that makes the task's cases, or its only one.
fn cases(task: &Sound, krate: &Path) -> TokenStream {
    let body = body(task, krate);
    match (&task.attributes.cases, &task.parameters.case) {
        (Some(cases), Some(kind)) => cases.expanded(krate, &crate::cases::kept(kind), &body),
        _ => quote!(#krate::__private::only(#body)),
    }
}

/// A closure from the context, and the case where there is one, to the future of the task.
fn body(task: &Sound, krate: &Path) -> TokenStream {
    let signature = &task.function.sig;
    let name = &signature.ident;
    let is_async = signature.asyncness.is_some();
    let given = task.parameters.case.as_ref().map(|_| quote!(, case));
    let passed = task.parameters.case.as_ref().map(|_| quote!(, &case));
    let context = context(&task.parameters.first, krate, is_async);
    let returned = match &signature.output {
        ReturnType::Default => signature.ident.span(),
        ReturnType::Type(_, kind) => kind.span(),
    };
    let convert = quote_spanned! {returned=>
        #krate::__private::TaskReturn::into_result(outcome)
    };
    if is_async {
        quote! {
            |cx #given| ::std::boxed::Box::pin(async move {
                let outcome = #name(#context #passed).await;
                #convert
            })
        }
    } else {
        let plain = name.unraw().to_string();
        quote! {
            |cx #given| ::std::boxed::Box::pin(#krate::__private::on_a_thread(cx, #plain, move |cx| {
                let outcome = #name(#context #passed);
                #convert
            }))
        }
    }
}

/// The context as the function takes it; another type is an error at the parameter.
fn context(kind: &Type, krate: &Path, is_async: bool) -> TokenStream {
    let wanted: Path = if is_async {
        parse_quote!(#krate::__private::AsyncContext)
    } else {
        parse_quote!(#krate::__private::SyncContext)
    };
    quote_spanned!(kind.span()=> <#kind as #wanted>::given(cx))
}
