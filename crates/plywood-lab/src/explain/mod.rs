//! Where the speed-up went: its factors, in numbers and sentences.
