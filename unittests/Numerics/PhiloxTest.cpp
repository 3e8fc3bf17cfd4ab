//===- PhiloxTest.cpp - Random words --------------------------------------===//

#include "Oracle.h"

using namespace oracle;

// Breaks if the generator is not the published one (Random123, kat_vectors).
TEST(Q7, PhiloxKnownAnswers) {
  using Four = std::array<uint32_t, 4>;
  constexpr uint32_t ones = 0xFFFFFFFF;
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}),
            (Four{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(philox4x32_10({ones, ones, ones, ones}, {ones, ones}),
            (Four{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(
      philox4x32_10({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
      (Four{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

// Breaks if lanes are cut from the high end, the index is not divided, the
// counter loses its high word, or seed, stream and step swap places.
TEST(Q7, WordsAreLanesFromTheLowEnd) {
  for (unsigned b : {8u, 16u})
    for (uint64_t base : {uint64_t(0), uint64_t(1) << 36, ~uint64_t(0) - 300}) {
      const Draw draw{0x0123456789ABCDEF, 0x11223344, 0x55667788, b};
      for (uint64_t i = base; i < base + 300; ++i)
        ASSERT_EQ(randomWord(draw.seed, draw.stream, draw.step, i, b), word(draw, i));
    }
}

// Breaks if the vectorised words differ from the words one by one.
TEST(Q7, ManyGroupsAtOnce) {
  for (unsigned b : {8u, 16u})
    for (unsigned groups : {0u, 1u, 7u, 32u}) {
      uint64_t counters[32];
      uint16_t words[32 * 16];
      for (unsigned j = 0; j < 32; ++j)
        counters[j] = 0xFFFFFFFFull + 3 * j;
      ufp4::numerics::detail::randomWords(5, 6, 7, b, counters, groups, words);
      const unsigned lanes = 128 / b;
      for (unsigned i = 0; i < groups * lanes; ++i)
        ASSERT_EQ(words[i], word({5, 6, 7, b}, counters[i / lanes] * lanes + i % lanes));
    }
}

// Breaks if folding uses other counter words, another half of the output, or
// loses the high half of j; also if it meets a quantize's own counters.
TEST(Q10, FoldInIsPhiloxOfItsIndex) {
  for (uint64_t seed : {uint64_t(0), uint64_t(7), ~uint64_t(0)})
    for (uint64_t j : {uint64_t(0), uint64_t(1), uint64_t(1) << 40, ~uint64_t(0)}) {
      const Words words = philox(j, 0xFFFFFFFF, 0xFFFFFFFF, seed);
      EXPECT_EQ(foldIn(seed, j), words.word[0] | uint64_t(words.word[1]) << 32);
    }
  EXPECT_NE(foldIn(1, 0), foldIn(1, 1));
}
