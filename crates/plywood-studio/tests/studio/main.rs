//! The server from outside: everything goes over the network, nothing leaves this computer.

mod client;
mod guarded;
mod hostile;
mod insight;
mod lab;
mod play;
mod store;
