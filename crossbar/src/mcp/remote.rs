//! The conversation with a server that runs already, over streamable HTTP (revision 2025-11-25 of
//! MCP, "Transports").

mod cursor;
mod exchange;
mod refusal;

use super::error::McpError;
use super::inbox::{End, Reply, letter};
use super::noise::Noise;
use exchange::Exchange;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// How long the answer to our request for the server's own messages may take to begin. Some
/// servers send its head with its first message; they are listened to, and not waited for.
const HEAD: Duration = Duration::from_millis(500);

/// How long the end of a session may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// How to reach a server that somebody else runs.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteSpec {
    /// What messages call it.
    pub name: String,
    /// Its address, http or https.
    pub url: String,
    /// What every request to it carries besides what the protocol asks for.
    pub headers: Vec<(String, String)>,
    /// How long it may take from the first request to its list of tools.
    pub start_timeout: Duration,
}

impl fmt::Debug for RemoteSpec {
    /// Neither the address nor the values of headers are shown: both may hold a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("RemoteSpec")
            .field("name", &self.name)
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

/// Our side of the conversation. When it is dropped, nothing more is read.
pub(super) struct Remote {
    exchange: Arc<Exchange>,
    listener: Option<AbortHandle>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").finish_non_exhaustive()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(listener) = &self.listener {
            listener.abort();
        }
    }
}

impl Remote {
    /// Sets up everything; nothing is sent.
    ///
    /// # Errors
    /// `McpError::Refused` for an address that is none and a header that can't be sent.
    pub(super) fn new(spec: &RemoteSpec) -> Result<Self, McpError> {
        let exchange = Exchange::new(spec).map_err(|error| McpError::Refused {
            server: spec.name.clone(),
            detail: format!("its `url` or `headers`: {error}"),
            stderr: String::new(),
        })?;
        Ok(Self {
            exchange: Arc::new(exchange),
            listener: None,
        })
    }

    /// Scheme, host and port.
    pub(super) fn place(&self) -> &str {
        self.exchange.place()
    }

    /// Asks and waits.
    ///
    /// # Errors
    /// `End` as soon as no reply can come.
    pub(super) async fn request(&self, method: &str, params: Value) -> Reply {
        let (id, mut reply) = self.exchange.inbox().open()?;
        let letter = letter(id, method, params);
        let conversation = self.exchange.converse(id, &letter);
        tokio::pin!(conversation);
        let ended = tokio::select! {
            biased;
            reply = &mut reply => return reply.unwrap_or_else(|_| Err(self.silent())),
            ended = &mut conversation => ended,
        };
        match (reply.try_recv(), ended) {
            (Ok(reply), _) => reply,
            (Err(_), Err(end)) => Err(end),
            (Err(_), Ok(())) => Err(self.silent()),
        }
    }

    fn silent(&self) -> End {
        self.exchange.lost("its answer ended without the reply")
    }

    /// Goes on after the reply to `initialize`: from here on every request says which revision was
    /// agreed on, and what the server has to say by itself is heard.
    ///
    /// # Errors
    /// `End` when the server can't be told.
    pub(super) async fn begun(&mut self, initialized: &Value) -> Result<(), End> {
        self.exchange.agree(initialized);
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.exchange.tell(&told).await?;
        let (tell, head) = oneshot::channel();
        let listener = tokio::spawn(Arc::clone(&self.exchange).listen(tell));
        self.listener = Some(listener.abort_handle());
        // Whatever comes of it, a request of the server that follows is not missed.
        let _ = timeout(HEAD, head).await;
        Ok(())
    }

    /// What was said that is no message.
    pub(super) fn noise(&self) -> Noise {
        self.exchange.inbox().noise()
    }

    /// Ends the session, where there is one. The server goes on; it is not ours.
    pub(super) async fn end(self) {
        let _ = timeout(FAREWELL, self.exchange.farewell()).await;
    }
}
