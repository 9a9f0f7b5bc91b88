// SPDX-License-Identifier: MIT
//
// The program of shared_table.cpp from Rust, without bindgen: two threads, one table, and what the path key is for.
//
//     rustc -O shared_table.rs -L native=DIR -l tabia && ./shared_table
//
// `sys` has the structures as the headers have them (tabia/options.h, tabia/entry.h). A table may be used by any number of threads
// at once, so `Table` is Send and Sync; it frees itself.
use std::ffi::{c_char, c_int, c_uint, c_void, CStr};
use std::thread;

mod sys {
    use super::*;

    #[repr(C)]
    pub struct Options {
        pub bytes: u64,
        pub record_type: c_int,
        pub record_words: c_uint,
        pub partitions: c_uint,
        pub strict_generations: bool,
        pub path_bits: c_uint,
        pub move_bits: c_uint,
        pub user_bits: c_uint,
        pub signature_bits: c_uint,
        pub age_weight: c_uint,
        pub exact_bonus: c_uint,
        pub keep_margin: c_uint,
        pub refresh_on_hit: bool,
        pub replacement: c_int,
        pub pages: c_int,
        pub touch: c_int,
        pub threads: c_uint,
        pub counters: bool,
        pub name: *const c_char,
        pub identity: u64,
        pub watch: *const c_void,
    }

    #[repr(C)]
    pub struct Error {
        pub code: c_int,
        pub text: [c_char; 400],
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Key {
        pub index: u64,
        pub check: u64,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Entry {
        pub score: i16,
        pub evaluation: i16,
        pub draft: u8,
        pub bound: u8,
        pub user: u16,
        pub best: u32, // `move` is a word of Rust
    }

    #[repr(C)]
    pub struct Hit {
        pub entry: Entry,
        pub move_ok: bool,
        pub score_ok: bool,
        pub generation: u8,
        pub unused: u8,
        pub path: u32,
    }

    extern "C" {
        pub fn tabia_version() -> *const c_char;
        pub fn tabia_table_create(table: *mut *mut c_void, options: *const Options, error: *mut Error) -> c_int;
        pub fn tabia_table_destroy(table: *mut c_void);
        pub fn tabia_entry_probe(table: *const c_void, key: Key, path: u64) -> Hit;
        pub fn tabia_entry_store(table: *mut c_void, key: Key, path: u64, entry: Entry);
    }
}

struct Table(*mut c_void);

unsafe impl Send for Table {}
unsafe impl Sync for Table {}

impl Table {
    fn new(bytes: u64) -> Result<Table, String> {
        // Every option's 0 is its default.
        let options = sys::Options { bytes, ..unsafe { std::mem::zeroed() } };
        let mut error: sys::Error = unsafe { std::mem::zeroed() };
        let mut table = std::ptr::null_mut();
        match unsafe { sys::tabia_table_create(&mut table, &options, &mut error) } {
            0 => Ok(Table(table)),
            _ => Err(unsafe { CStr::from_ptr(error.text.as_ptr()) }.to_string_lossy().into_owned()),
        }
    }

    fn probe(&self, key: sys::Key, path: u64) -> sys::Hit {
        unsafe { sys::tabia_entry_probe(self.0, key, path) }
    }

    fn store(&self, key: sys::Key, path: u64, entry: sys::Entry) {
        unsafe { sys::tabia_entry_store(self.0, key, path, entry) }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        unsafe { sys::tabia_table_destroy(self.0) }
    }
}

const QUIET_PATH: u64 = 0x1234;
const CLOCK_PATH: u64 = 0xabcd;
const POSITIONS: u64 = 1000;
const EXACT: u8 = 3;

// Stands for the two Zobrist words of position n.
fn key_of(n: u64) -> sys::Key {
    let a = (n + 1).wrapping_mul(0x9e3779b97f4a7c15);
    let b = (n + 1).wrapping_mul(0xd6e8feb86659fd93);
    sys::Key { index: a ^ a >> 31, check: b ^ b >> 29 }
}

fn fill(table: &Table, first: u64, path: u64) {
    for n in first..first + POSITIONS {
        let entry = sys::Entry { score: n as i16, evaluation: 0, draft: 8, bound: EXACT, user: 0, best: n as u32 + 1 };
        table.store(key_of(n), path, entry);
    }
}

fn main() {
    let table = Table::new(64 << 20).unwrap_or_else(|error| {
        eprintln!("shared_table: {error}");
        std::process::exit(1)
    });
    thread::scope(|scope| {
        scope.spawn(|| fill(&table, 0, QUIET_PATH));
        scope.spawn(|| fill(&table, POSITIONS, CLOCK_PATH));
    });
    let (mut moves, mut scores, mut wrong) = (0, 0, 0);
    for n in 0..2 * POSITIONS {
        let hit = table.probe(key_of(n), QUIET_PATH);
        moves += hit.move_ok as u32;
        scores += hit.score_ok as u32;
        wrong += (hit.move_ok && hit.entry.best as u64 != n + 1) as u32;
    }
    let version = unsafe { CStr::from_ptr(sys::tabia_version()) }.to_string_lossy();
    println!(
        "libtabia {version}: of {} positions {moves} moves are known, {scores} scores are usable, {wrong} are wrong",
        2 * POSITIONS
    );
}
