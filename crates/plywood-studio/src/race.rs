//! Waiting for one of two things.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

/// Which of two came first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Winner {
    /// The one named first.
    One,
    /// The other.
    Other,
}

/// Waits until one of two things has ended; the other is given up.
pub(crate) async fn race(one: impl Future<Output = ()>, other: impl Future<Output = ()>) -> Winner {
    let (mut one, mut other) = (pin!(one), pin!(other));
    std::future::poll_fn(move |context| {
        if one.as_mut().poll(context).is_ready() {
            Poll::Ready(Winner::One)
        } else if other.as_mut().poll(context).is_ready() {
            Poll::Ready(Winner::Other)
        } else {
            Poll::Pending
        }
    })
    .await
}
