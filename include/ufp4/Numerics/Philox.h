//===- Philox.h - Random words -----------------------------------*- C++ -*-===//
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy
// as 1, 2, 3; SC 2011) and the words that stochastic rounding draws from it
// (docs/spec.md Q7, Q10). Integer arithmetic and no state: any thread, any order.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_PHILOX_H
#define UFP4_NUMERICS_PHILOX_H

#include <array>
#include <cstdint>

namespace ufp4::numerics {

/// The 128 bits at a counter under a key, lowest word first.
std::array<uint32_t, 4> philox4x32_10(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// Q10: the seed of trip, call or group `j` under `seed`.
uint64_t foldIn(uint64_t seed, uint64_t j);

/// Q7: the `bits`-bit word (8 or 16) of the element at `index`, its row-major
/// index in the global padded view.
uint32_t randomWord(uint64_t seed, uint32_t stream, uint32_t step, uint64_t index, unsigned bits);

namespace detail {

/// Words for many groups of 128 / bits elements at once: group j draws from
/// counter `counters[j]` and fills words[j * 128 / bits ...]. At most
/// `maxPhiloxGroups` groups.
constexpr unsigned maxPhiloxGroups = 32;
void randomWords(uint64_t seed, uint32_t stream, uint32_t step, unsigned bits,
                 const uint64_t *counters, unsigned groups, uint16_t *words);

} // namespace detail
} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_PHILOX_H
