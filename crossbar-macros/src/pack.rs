//! `embed_pack!("folder")`: the texts of a task pack, each by `include_str!`, so that cargo builds
//! again when one of them changes. They are not looked into here.
#![expect(
    clippy::disallowed_methods,
    reason = "which files a folder holds is known to the file system alone"
)]

use proc_macro2::TokenStream;
use quote::quote;
use std::path::{Path, PathBuf};
use syn::{Error, LitStr};

pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let folder: LitStr = syn::parse2(input)?;
    let shown = folder.value();
    let shown = shown.trim_end_matches('/');
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let place = package.unwrap_or_default().join(shown);
    let (place, names) = names(&place)
        .map_err(|problem| Error::new(folder.span(), format!("task pack {shown}: {problem}")))?;
    let text = |name: &str| {
        let path = place.join(name);
        let path = path.to_string_lossy();
        quote!(include_str!(#path))
    };
    let about = if place.join("pack.yaml").is_file() {
        let text = text("pack.yaml");
        quote!(Some(#text))
    } else {
        quote!(None)
    };
    let texts = names.iter().map(|name| text(name));
    let mark = format!("\u{2}crossbar-pack:{}\u{3}", place.display());
    Ok(quote! {
        &[(#mark, #shown, #about, &[#((#names, #texts, None)),*])]
    })
}

/// The folder, resolved, and the names of its task files, sorted.
fn names(place: &Path) -> Result<(PathBuf, Vec<String>), String> {
    let cannot = |error: std::io::Error| format!("failed to read {}: {error}", place.display());
    let entries = std::fs::read_dir(place).map_err(cannot)?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".task.yaml") || name.ends_with(".task.yml"))
        .collect();
    names.sort();
    if let Some(name) = names.iter().find(|name| name.ends_with(".task.yml")) {
        return Err(format!(
            "{name} would be passed over: task files end in `.task.yaml`"
        ));
    }
    if names.is_empty() {
        return Err(format!("no `*.task.yaml` in {}", place.display()));
    }
    Ok((place.canonicalize().map_err(cannot)?, names))
}
