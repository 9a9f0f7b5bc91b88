// SPDX-License-Identifier: MIT
// Networks of random weights, written and evaluated by what bullet's sources have for it, which are given by path (networks.py
// compiles this):
//
//     bullet write OUTPUTS SEED OUT          quantised.bin, as its trainer writes it
//     bullet floats OUTPUTS SEED POSITIONS   the values of positions of bulletformat, by the unquantised weights
//     bullet example NETWORK POSITIONS       the same by the inference of examples/simple.rs
//
// A value is a line, for the side to move, in centipawns.
use bullet_compiler::{model::ModelBuilder, tensor::TValue};
use bullet_trainer::model::{ModelDefinition, ModelWeights, SavedFormat};
use bulletformat::{ChessBoard, DataLoader};
use chess768::Chess768;

mod chess768; // crates/bullet_lib/src/game/inputs/chess768.rs
mod example { // constants and inference of examples/simple.rs
    include!("example.rs");
}

/// What chess768.rs implements.
pub trait SparseInputType: Clone + Send + Sync + 'static {
    type RequiredDataType: Copy + Send + Sync;
    fn num_inputs(&self) -> usize;
    fn max_active(&self) -> usize;
    fn map_features<F: FnMut(usize, usize)>(&self, pos: &Self::RequiredDataType, f: F);
    fn shorthand(&self) -> String;
    fn description(&self) -> String;
}

const WIDTH: usize = example::HIDDEN_SIZE;
const INPUT_ONE: i16 = example::QA;
const OUTPUT_ONE: i16 = example::QB;
const LARGEST: u64 = 60; // of a weight, in steps of its quantization

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed >> 33
}

/// Weights that quantization does not change.
fn random_weights(outputs: usize, mut seed: u64) -> ModelWeights {
    let builder = ModelBuilder::default();
    let _ = (builder.new_affine("l0", 768, WIDTH), builder.new_affine("l1", 2 * WIDTH, outputs));
    let mut weights = ModelWeights::new(&ModelDefinition::new(builder.inner(), None, Vec::new()), 1);
    for (id, size, one) in [
        ("l0w", 768 * WIDTH, f32::from(INPUT_ONE)),
        ("l0b", WIDTH, f32::from(INPUT_ONE)),
        ("l1w", 2 * WIDTH * outputs, f32::from(OUTPUT_ONE)),
        ("l1b", outputs, f32::from(INPUT_ONE) * f32::from(OUTPUT_ONE)),
    ] {
        let values = (0..size).map(|_| (random(&mut seed) % (2 * LARGEST + 1)) as f32 - LARGEST as f32).map(|x| x / one);
        assert!(weights.set(id, TValue::F32(values.collect())));
    }
    weights
}

/// As the examples write it: of several outputs the weights of one stand together.
fn saved_format(outputs: usize) -> [SavedFormat; 4] {
    let l1w = SavedFormat::id("l1w").round().quantise::<i16>(OUTPUT_ONE);
    [
        SavedFormat::id("l0w").round().quantise::<i16>(INPUT_ONE),
        SavedFormat::id("l0b").round().quantise::<i16>(INPUT_ONE),
        if outputs > 1 { l1w.transpose() } else { l1w },
        SavedFormat::id("l1b").round().quantise::<i16>(INPUT_ONE * OUTPUT_ONE),
    ]
}

fn for_each_position(file: &str, mut f: impl FnMut(&ChessBoard)) {
    DataLoader::<ChessBoard>::new(file, 1).unwrap().map_positions(|board| f(board));
}

/// The columns of a matrix stand one behind the other, as bullet has them.
fn print_floats(outputs: usize, seed: u64, file: &str) {
    let weights = random_weights(outputs, seed);
    let floats = |id: &str| match weights.get(id).values.clone() {
        TValue::F32(values) => values,
        _ => panic!("{id} has other numbers"),
    };
    let (l0w, l0b, l1w, l1b) = (floats("l0w"), floats("l0b"), floats("l1w"), floats("l1b"));
    for_each_position(file, |board| {
        let output = if outputs == 1 { 0 } else { (board.occ().count_ones() as usize - 2) / (32 / outputs) };
        let mut hidden = [l0b.clone(), l0b.clone()];
        Chess768.map_features(board, |own, other| {
            for (side, feature) in [(0, own), (1, other)] {
                for i in 0..WIDTH {
                    hidden[side][i] += l0w[feature * WIDTH + i];
                }
            }
        });
        let neurons = hidden.iter().flatten().map(|x| f64::from(x.clamp(0.0, 1.0)).powi(2));
        let sum: f64 = neurons.enumerate().map(|(i, x)| x * f64::from(l1w[i * outputs + output])).sum();
        println!("{}", (sum + f64::from(l1b[output])) * f64::from(example::SCALE));
    });
}

fn print_example(network: &str, file: &str) {
    let bytes = std::fs::read(network).unwrap();
    assert_eq!(bytes.len(), std::mem::size_of::<example::Network>());
    let network: Box<example::Network> = Box::new(unsafe { std::ptr::read_unaligned(bytes.as_ptr().cast()) });
    for_each_position(file, |board| {
        let mut sides = [example::Accumulator::new(&network), example::Accumulator::new(&network)];
        Chess768.map_features(board, |own, other| {
            sides[0].add_feature(own, &network);
            sides[1].add_feature(other, &network);
        });
        println!("{}", network.evaluate(&sides[0], &sides[1]));
    });
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = |i: usize| words[i].parse::<u64>().unwrap();
    match words[1].as_str() {
        "write" => {
            let outputs = number(2) as usize;
            let bytes = random_weights(outputs, number(3)).to_quantised_buffer(&saved_format(outputs), true);
            std::fs::write(&words[4], bytes.unwrap()).unwrap();
        }
        "floats" => print_floats(number(2) as usize, number(3), &words[4]),
        _ => print_example(&words[2], &words[3]),
    }
}
