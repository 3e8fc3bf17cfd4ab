//===- Scales.h - Block scales -----------------------------------*- C++ -*-===//
//
// docs/spec.md F2: how a scale is stored; Q5: how the two byte kinds are
// chosen. E4M3 as in arXiv 2509.25149, E8M0 as in OCP MX v1.0. Integer
// arithmetic throughout, so no floating-point environment matters.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_SCALES_H
#define UFP4_NUMERICS_SCALES_H

#include "ufp4/Numerics/Formats.h"

#include <cstdint>

namespace ufp4::numerics {

/// F2. UE4M3 comes with one f32 per tensor, the global scale S.
enum class ScaleKind : uint8_t { F32, UE4M3, UE8M0 };

/// Q5, how a UE8M0 scale is chosen; meaningless for the other kinds.
enum class ScaleRule : uint8_t { Ceil, OcpFloor };

/// `f32`, `ue4m3` or `ue8m0`; `ceil` or `ocp-floor`.
const char *name(ScaleKind kind);
const char *name(ScaleRule rule);

/// Size of one stored scale in bytes.
constexpr unsigned scaleBytes(ScaleKind kind) { return kind == ScaleKind::F32 ? 4 : 1; }

constexpr uint8_t nanUE4M3 = 0x7F;
constexpr uint8_t nanUE8M0 = 0xFF;
constexpr float maxE4M3 = 448.0f;

/// The value of a UE4M3 byte, exact. 0x7F is NaN; so is every byte with bit 7
/// set, which is no value of the format.
float decodeUE4M3(uint8_t byte);

/// Nearest even, saturating at 448 (an infinity too); subnormals kept. A NaN
/// gives 0x7F. Negative values are not scales; they give 0.
uint8_t encodeUE4M3(float value);

/// The value of a UE8M0 byte, 2^(byte - 127), exact (2^-127 is a denormal f32);
/// 0xFF is NaN.
float decodeUE8M0(uint8_t byte);

/// Q5 for UE8M0: the byte for a block whose maximum is `amax`, finite and
/// positive. OcpFloor is meant for E2M1 (its offset 2 is that grid's).
uint8_t encodeUE8M0(float amax, Format format, ScaleRule rule);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_SCALES_H
