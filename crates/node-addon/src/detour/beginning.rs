//! The first instructions of a function, encoded again so that they mean the same at another place.

use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, Instruction, InstructionBlock, Mnemonic, OpKind,
};

/// A jump to what is at most 2 GiB away.
pub const NEAR_JUMP: usize = 5;

const BITS: u32 = 64;

/// The first whole instructions of a function that take at least the room of a [`NEAR_JUMP`].
pub struct Beginning {
    instructions: Vec<Instruction>,
    /// Where the instruction behind them is.
    next: u64,
}

impl Beginning {
    /// `code` is the whole function, which is at `address`. `None` if it ends within so many bytes or jumps back to there.
    pub fn of(code: &[u8], address: u64) -> Option<Beginning> {
        let mut decoder = Decoder::with_ip(BITS, code, address, DecoderOptions::NONE);
        let mut instructions = Vec::new();
        while decoder.ip() < address + NEAR_JUMP as u64 {
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                return None;
            }
            instructions.push(instruction);
        }
        let next = decoder.ip();
        (!leads_into(code, address, next)).then_some(Beginning { instructions, next })
    }

    /// The instructions for another place, and a jump to the one that follows them. `None` if they cannot mean the same there.
    pub fn at(&self, place: u64) -> Option<Vec<u8>> {
        let back = Instruction::with_branch(Code::Jmp_rel32_64, self.next).ok()?;
        let instructions: Vec<Instruction> = self.instructions.iter().copied().chain([back]).collect();
        let block = InstructionBlock::new(&instructions, place);
        Some(BlockEncoder::encode(BITS, block, BlockEncoderOptions::NONE).ok()?.code_buffer)
    }
}

/// `jmp to`, for this place. `None` if that is too far away.
pub fn near_jump(place: u64, to: u64) -> Option<[u8; NEAR_JUMP]> {
    let distance = i32::try_from(to.wrapping_sub(place + NEAR_JUMP as u64).cast_signed()).ok()?;
    let mut code = [0xe9, 0, 0, 0, 0];
    code[1..].copy_from_slice(&distance.to_le_bytes());
    Some(code)
}

/// `jmp [rip]`, and the address.
pub fn far_jump(to: u64) -> [u8; 14] {
    let mut code = [0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    code[6..].copy_from_slice(&to.to_le_bytes());
    code
}

/// Whether a branch of the function leads to its first instructions. A call of itself may: it is a call like any other.
fn leads_into(code: &[u8], address: u64, next: u64) -> bool {
    let mut instructions = Decoder::with_ip(BITS, code, address, DecoderOptions::NONE).into_iter();
    instructions.any(|instruction| {
        let target = instruction.near_branch_target();
        let is_call_of_itself = target == address && instruction.mnemonic() == Mnemonic::Call;
        instruction.op0_kind() == OpKind::NearBranch64 && (address..next).contains(&target) && !is_call_of_itself
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: u64 = 0x0100_0000;
    const THERE: u64 = 0x4100_0000;

    /// The instructions as they are at another place, without the jump back.
    fn moved(code: &[u8]) -> Option<Vec<Instruction>> {
        let encoded = Beginning::of(code, HERE)?.at(THERE)?;
        let mut instructions: Vec<_> =
            Decoder::with_ip(BITS, &encoded, THERE, DecoderOptions::NONE).into_iter().collect();
        let back = instructions.pop()?;
        assert_eq!(back.mnemonic(), Mnemonic::Jmp);
        Some(instructions)
    }

    #[test]
    fn whole_instructions_are_moved() {
        // push rbp; mov rbp,rsp; mov rcx,fs:[…]
        let code = [0x55, 0x48, 0x89, 0xe5, 0x64, 0x48, 0x8b, 0x0c, 0x25, 0x88, 0xfe, 0xff, 0xff, 0xc3];
        let encoded = Beginning::of(&code, HERE).unwrap().at(THERE).unwrap();
        assert_eq!(encoded[..13], code[..13]);
        assert_eq!(encoded[13..], near_jump(THERE + 13, HERE + 13).unwrap());
    }

    #[test]
    fn what_is_named_by_its_distance_stays_the_same() {
        // mov rax,[rip+0x10]; call +0x20; je +0x30
        let loads = moved(&[0x48, 0x8b, 0x05, 0x10, 0, 0, 0, 0xc3]).unwrap();
        assert_eq!(loads[0].memory_displacement64(), HERE + 7 + 0x10);
        let calls = moved(&[0xe8, 0x20, 0, 0, 0, 0xc3]).unwrap();
        assert_eq!(calls[0].near_branch_target(), HERE + 5 + 0x20);
        let branches = moved(&[0x85, 0xff, 0x74, 0x30, 0x31, 0xc0, 0xc3]).unwrap();
        assert_eq!(branches[1].near_branch_target(), HERE + 4 + 0x30);
    }

    #[test]
    fn what_cannot_be_replaced_is_left() {
        // xor eax,eax; ret
        assert!(Beginning::of(&[0x31, 0xc0, 0xc3], HERE).is_none());
        // inc eax; inc edi; jmp to the inc edi; ret
        assert!(Beginning::of(&[0xff, 0xc0, 0xff, 0xc7, 0x31, 0xd2, 0xeb, 0xfa, 0xc3], HERE).is_none());
        // No instruction of 64-bit code.
        assert!(Beginning::of(&[0x06, 0x06, 0x06, 0x06, 0x06], HERE).is_none());
    }
}
