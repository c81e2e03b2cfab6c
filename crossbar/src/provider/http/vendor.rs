//! APIs of vendors: a host that holds unless the roster names another, and paths below `/v1`.

use super::{Auth, Endpoint, Routes};
use crate::domain::Model;
use crate::provider::{ProviderError, Setup};

/// A vendor's API.
#[derive(Clone, Copy)]
pub(in crate::provider) struct Vendor {
    /// Where it is unless the roster says otherwise.
    pub(in crate::provider) host: &'static str,
    /// Where conversations are sent, below `/v1`.
    pub(in crate::provider) chat: &'static str,
    /// How it takes a key.
    pub(in crate::provider) auth: Auth,
}

impl Vendor {
    /// Where the paths of a model's endpoint begin: before `/v1` or `/v1beta`, whether the roster
    /// writes that or not.
    pub(in crate::provider) fn base<'m>(&self, model: &'m Model) -> &'m str {
        let base = model.base_url.as_deref().unwrap_or(self.host);
        let base = base.trim_end_matches('/');
        base.trim_end_matches("/v1beta").trim_end_matches("/v1")
    }

    /// The endpoint of a model, ready to be asked.
    ///
    /// # Errors
    /// `ProviderErrorKind::Configuration` when its own host is to be asked without a key, and as
    /// [`Endpoint::new`].
    pub(in crate::provider) fn endpoint(
        &self,
        model: &Model,
        setup: &Setup<'_>,
    ) -> Result<Endpoint, ProviderError> {
        if model.base_url.is_none() && model.api_key_env.is_none() {
            return Err(ProviderError::configuration(format!(
                "model `{}`: {} wants a key: name its variable in `api_key_env`",
                model.id, self.host
            )));
        }
        let base = self.base(model);
        let routes = Routes {
            chat: format!("{base}/v1/{}", self.chat),
            probe: format!("{base}/v1/models"),
        };
        Endpoint::new(model, setup, &routes, self.auth)
    }
}
