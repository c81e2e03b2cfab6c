//! An answer's body on its way to the program.

use super::pass::Piece;
use hyper::body::{Body, Bytes, Frame};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// The body of an answer, as its pieces come. A cut one ends with an error, so that the connection
/// is broken off and the program sees it too.
pub(super) struct Pieces {
    pieces: mpsc::Receiver<Piece>,
    is_cut: bool,
}

impl Pieces {
    pub(super) fn new(pieces: mpsc::Receiver<Piece>) -> Self {
        let is_cut = false;
        Self { pieces, is_cut }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.is_cut {
            return Poll::Ready(Some(Err(io::Error::other("the answer was cut"))));
        }
        match self.pieces.poll_recv(cx) {
            // The server sends what it holds when a body makes it wait, and drops it when a body
            // fails: without this the last pieces before a cut would be lost now and then.
            Poll::Ready(Some(Err(()))) => {
                self.is_cut = true;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Poll::Ready(Some(Ok(piece))) => Poll::Ready(Some(Ok(Frame::data(Bytes::from(piece))))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::server::conn::http1;
    use hyper::service::service_fn;
    use hyper::{Request, Response, body::Incoming};
    use hyper_util::rt::TokioIo;
    use std::convert::Infallible;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// What a program reads of an answer whose pieces were all there before it asked.
    async fn read(pieces: Vec<Piece>) -> String {
        let answer = service_fn(move |_: Request<Incoming>| {
            let (send, body) = mpsc::channel(8);
            for piece in pieces.clone() {
                send.try_send(piece).unwrap();
            }
            async { Ok::<_, Infallible>(Response::new(Pieces::new(body))) }
        });
        let (ours, mut theirs) = tokio::io::duplex(1 << 16);
        theirs
            .write_all(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        let _ = http1::Builder::new()
            .serve_connection(TokioIo::new(ours), answer)
            .await;
        let mut said = String::new();
        theirs.read_to_string(&mut said).await.unwrap();
        said
    }

    #[tokio::test]
    async fn every_piece_before_a_cut_reaches_the_program_and_the_cut_too() {
        let piece = |text: &str| Ok(text.as_bytes().to_vec());
        let cut = read(vec![piece("first"), piece("last"), Err(())]).await;
        assert!(cut.contains("first") && cut.contains("last"), "{cut}");
        assert!(!cut.ends_with("0\r\n\r\n"), "{cut}");
        let whole = read(vec![piece("first"), piece("last")]).await;
        assert!(whole.ends_with("0\r\n\r\n"), "{whole}");
    }
}
