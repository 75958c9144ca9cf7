//! Writes dialogues and examples as inputs of the fuzz target `session`: `fuzz-corpus FOLDER`.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use mcp_assay_testkit::fuzz::seeds;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: fuzz-corpus FOLDER")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    for seed in seeds() {
        fs::write(folder.join(&seed.name), &seed.bytes)?;
    }
    Ok(())
}
