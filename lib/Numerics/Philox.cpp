//===- Philox.cpp - Random words ------------------------------------------===//

#include "ufp4/Numerics/Philox.h"

#include <cassert>

namespace ufp4::numerics {

namespace {

/// Counters of many groups, word by word, so that a round is a straight loop.
template <unsigned Width> struct Counters { uint32_t word[4][Width]; };

template <unsigned Width> void runRounds(Counters<Width> &c, uint32_t key0, uint32_t key1) {
  for (unsigned round = 0; round < 10; ++round) {
    for (unsigned j = 0; j < Width; ++j) {
      const uint64_t product0 = uint64_t(0xD2511F53) * c.word[0][j];
      const uint64_t product1 = uint64_t(0xCD9E8D57) * c.word[2][j];
      c.word[0][j] = uint32_t(product1 >> 32) ^ c.word[1][j] ^ key0;
      c.word[1][j] = uint32_t(product1);
      c.word[2][j] = uint32_t(product0 >> 32) ^ c.word[3][j] ^ key1;
      c.word[3][j] = uint32_t(product0);
    }
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
}

} // namespace

std::array<uint32_t, 4> philox4x32_10(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  Counters<1> c{{{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  runRounds(c, key[0], key[1]);
  return {c.word[0][0], c.word[1][0], c.word[2][0], c.word[3][0]};
}

uint64_t foldIn(uint64_t seed, uint64_t j) {
  const std::array<uint32_t, 4> words =
      philox4x32_10({uint32_t(j), uint32_t(j >> 32), 0xFFFFFFFF, 0xFFFFFFFF},
                    {uint32_t(seed), uint32_t(seed >> 32)});
  return words[0] | uint64_t(words[1]) << 32;
}

uint32_t randomWord(uint64_t seed, uint32_t stream, uint32_t step, uint64_t index, unsigned bits) {
  assert((bits == 8 || bits == 16) && "Q7 knows 8 and 16 bits");
  const unsigned lanes = 128 / bits;
  const uint64_t counter = index / lanes;
  const unsigned lane = index % lanes;
  const std::array<uint32_t, 4> words =
      philox4x32_10({uint32_t(counter), uint32_t(counter >> 32), stream, step},
                    {uint32_t(seed), uint32_t(seed >> 32)});
  return words[lane * bits / 32] >> lane * bits % 32 & ((1u << bits) - 1);
}

void detail::randomWords(uint64_t seed, uint32_t stream, uint32_t step, unsigned bits,
                         const uint64_t *counters, unsigned groups, uint16_t *words) {
  assert(groups <= maxPhiloxGroups && "more groups than fit");
  Counters<maxPhiloxGroups> c;
  for (unsigned j = 0; j < maxPhiloxGroups; ++j) {
    const uint64_t counter = j < groups ? counters[j] : 0;
    c.word[0][j] = uint32_t(counter);
    c.word[1][j] = uint32_t(counter >> 32);
    c.word[2][j] = stream;
    c.word[3][j] = step;
  }
  runRounds(c, uint32_t(seed), uint32_t(seed >> 32));
  const unsigned perWord = 32 / bits;
  const uint32_t mask = (1u << bits) - 1;
  for (unsigned j = 0; j < groups; ++j)
    for (unsigned word = 0; word < 4; ++word)
      for (unsigned lane = 0; lane < perWord; ++lane)
        *words++ = uint16_t(c.word[word][j] >> lane * bits & mask);
}

} // namespace ufp4::numerics
