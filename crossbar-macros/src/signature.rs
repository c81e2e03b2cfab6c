//! What a task or a solution may look like as a function, and what is wrong with any other.

use crate::cases::kept;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, Item, ItemFn, Safety, Signature, Type};

/// What a function is to become, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Role {
    /// "a task".
    pub(crate) what: &'static str,
    /// Its attribute's name.
    pub(crate) attribute: &'static str,
    /// Its first parameter, written out.
    pub(crate) first: &'static str,
}

/// The parameters of a sound function: the type behind each `&mut` or `&`.
pub(crate) struct Parameters {
    /// What the first points at.
    pub(crate) first: Type,
    /// The case, where there is one.
    pub(crate) case: Option<Type>,
}

impl Parameters {
    /// The type in which the case's value is kept; `()` where there is none.
    pub(crate) fn kept(&self) -> TokenStream {
        let kind = self.case.as_ref().map(kept);
        kind.map_or_else(|| quote!(()), ToTokens::into_token_stream)
    }
}

/// An error with its cure, at the tokens that are wrong.
pub(crate) fn wrong(at: Span, what: &str, help: &str) -> Error {
    Error::new(at, format!("{what}\nhelp: {help}"))
}

/// What decides whether the function is there at all decides it for what comes with it.
pub(crate) fn conditions(function: &ItemFn) -> Vec<&Attribute> {
    let is_condition = |one: &&Attribute| one.path().is_ident("cfg");
    function.attrs.iter().filter(is_condition).collect()
}

impl Role {
    /// Reads the item as a function.
    pub(crate) fn function(self, item: TokenStream) -> syn::Result<ItemFn> {
        match syn::parse2::<Item>(item.clone()) {
            Ok(Item::Fn(function)) => Ok(function),
            Ok(other) => {
                let help = format!("put #[crossbar::{}] on a function", self.attribute);
                let message = format!("{} is a function\nhelp: {help}", self.what);
                Err(Error::new_spanned(&other, message))
            }
            // A method with `self` or a function without a body: the parser's own words.
            Err(_) => syn::parse2(item),
        }
    }

    /// The parameters of a function that is plain in everything else.
    pub(crate) fn parameters(self, function: &ItemFn) -> syn::Result<Parameters> {
        self.is_plain(&function.sig)?;
        self.is_no_test(&function.attrs)?;
        let inputs = &function.sig.inputs;
        let takes = format!("take `{}` first", self.first);
        let Some(first) = inputs.first() else {
            let span = function.sig.paren_token.span.join();
            let what = format!("{} has a parameter", self.what);
            return Err(wrong(span, &what, &takes));
        };
        let what = format!("{} takes `{}`", self.what, self.first);
        let Pointee::Mut(first) = self.pointee(first)? else {
            return Err(wrong(kind_span(first), &what, &takes));
        };
        let case = inputs
            .iter()
            .nth(1)
            .map(|second| self.case(second))
            .transpose()?;
        if let Some(third) = inputs.iter().nth(2) {
            let what = format!("{} takes one parameter, or two with a case", self.what);
            return Err(wrong(
                third.span(),
                &what,
                "put what it needs into its case",
            ));
        }
        Ok(Parameters { first, case })
    }

    fn case(self, second: &FnArg) -> syn::Result<Type> {
        match self.pointee(second)? {
            Pointee::Shared(kind) => Ok(kind),
            _ => Err(wrong(
                kind_span(second),
                "the second parameter is the case, by reference",
                "take `case: &T`, where `cases = [(\"NAME\", T), ..]`",
            )),
        }
    }

    fn pointee(self, argument: &FnArg) -> syn::Result<Pointee> {
        match argument {
            FnArg::Receiver(receiver) => Err(wrong(
                receiver.span(),
                &format!("{} is a free function, not a method", self.what),
                "move it out of the `impl`",
            )),
            FnArg::Typed(typed) => Ok(match typed.ty.as_ref() {
                Type::Reference(reference) if reference.mutability.is_some() => {
                    Pointee::Mut((*reference.elem).clone())
                }
                Type::Reference(reference) => Pointee::Shared((*reference.elem).clone()),
                _ => Pointee::None,
            }),
        }
    }

    fn is_plain(self, signature: &Signature) -> syn::Result<()> {
        let cannot = |what: &str| format!("{} can't be {what}", self.what);
        let token = if let Some(token) = &signature.constness {
            Some((token.span, cannot("`const`")))
        } else if let Safety::Unsafe(token) = &signature.safety {
            Some((token.span, cannot("`unsafe`")))
        } else if let Some(abi) = &signature.abi {
            Some((abi.extern_token.span, cannot("`extern`")))
        } else {
            signature
                .variadic
                .as_ref()
                .map(|token| (token.span(), cannot("variadic")))
        };
        if let Some((span, what)) = token {
            return Err(wrong(span, &what, "take the word out"));
        }
        let generics = &signature.generics;
        if !generics.params.is_empty() {
            let help = "write the types out; for several values use `cases`";
            return Err(wrong(generics.span(), &cannot("generic"), help));
        }
        if let Some(clause) = &generics.where_clause {
            return Err(wrong(
                clause.span(),
                &cannot("bounded"),
                "take the clause out",
            ));
        }
        Ok(())
    }

    fn is_no_test(self, attributes: &[Attribute]) -> syn::Result<()> {
        let last = |one: &Attribute| {
            one.path()
                .segments
                .last()
                .map(|last| last.ident.to_string())
        };
        let of_libtest = |one: &&Attribute| {
            matches!(
                last(one).as_deref(),
                Some("test" | "bench" | "should_panic")
            )
        };
        match attributes.iter().find(of_libtest) {
            Some(found) => {
                let what = format!("{} is no test of libtest", self.what);
                Err(wrong(found.span(), &what, "take this attribute out"))
            }
            None => Ok(()),
        }
    }
}

enum Pointee {
    Mut(Type),
    Shared(Type),
    None,
}

/// The span of a parameter's type.
fn kind_span(argument: &FnArg) -> Span {
    match argument {
        FnArg::Typed(typed) => typed.ty.span(),
        FnArg::Receiver(receiver) => receiver.span(),
    }
}
