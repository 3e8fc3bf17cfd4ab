//===- Npy.cpp - .npy and .npz files --------------------------------------===//

#include "ufp4/Execution/Npy.h"

#include "ufp4/Support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <zlib.h>

#include <limits>
#include <optional>

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

static Error fail(StringRef name, const Twine &message) {
  return createStringError(std::errc::invalid_argument, "%s: %s", name.str().c_str(),
                           message.str().c_str());
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

namespace {

constexpr StringRef kMagic("\x93NUMPY", 6);
// NumPy's own limit on what it reads without being told to trust the file.
constexpr uint64_t kMaxHeader = 1 << 20;

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

/// Reads the Python dictionary literal of a .npy header.
class HeaderParser {
public:
  HeaderParser(StringRef text, StringRef name) : rest(text), name(name) {}

  Expected<Header> parse() {
    Header header;
    if (!consume("{"))
      return unexpected("'{'");
    while (!consume("}")) {
      std::string key;
      if (!parseString(key))
        return unexpected("a quoted key");
      if (!consume(":"))
        return unexpected("':' after key '" + key + "'");
      if (key == "descr") {
        std::string value;
        if (!parseString(value))
          return fail(name, "structured dtypes are not supported: expected 'descr' to be a string, "
                            "found " +
                                Twine(rest.take_front(40)));
        header.descr = value;
      } else if (key == "fortran_order") {
        if (consume("True"))
          header.fortranOrder = true;
        else if (consume("False"))
          header.fortranOrder = false;
        else
          return unexpected("True or False for 'fortran_order'");
      } else if (key == "shape") {
        std::vector<int64_t> shape;
        if (!parseShape(shape))
          return unexpected("a tuple of sizes for 'shape'");
        header.shape = shape;
      } else {
        return fail(name, "unknown key '" + Twine(key) + "' in the .npy header");
      }
      if (!consume(",") && !rest.ltrim().starts_with("}"))
        return unexpected("',' or '}'");
    }
    if (!rest.trim().empty())
      return unexpected("the end of the header");
    if (!header.descr || !header.fortranOrder || !header.shape)
      return fail(name, "the .npy header lacks one of 'descr', 'fortran_order', 'shape'");
    return header;
  }

private:
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool parseString(std::string &value) {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return false;
    value = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool parseShape(std::vector<int64_t> &shape) {
    if (!consume("("))
      return false;
    while (!consume(")")) {
      rest = rest.ltrim();
      int64_t extent;
      if (rest.consumeInteger(10, extent) || extent < 0)
        return false;
      shape.push_back(extent);
      if (!consume(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  Error unexpected(const Twine &expected) {
    return fail(name, "malformed .npy header: expected " + expected + ", found '" +
                          rest.take_front(40) + "'");
  }

  StringRef rest;
  StringRef name;
};

struct Dtype {
  StringRef spelling;
  ElementType type;
};
constexpr Dtype kDtypes[] = {
    {"b1", ElementType::Bool},   {"i1", ElementType::Int8},   {"u1", ElementType::UInt8},
    {"i2", ElementType::Int16},  {"u2", ElementType::UInt16}, {"i4", ElementType::Int32},
    {"u4", ElementType::UInt32}, {"i8", ElementType::Int64},  {"u8", ElementType::UInt64},
    {"V2", ElementType::BF16},   {"f2", ElementType::F16},    {"f4", ElementType::F32},
    {"f8", ElementType::F64}};

} // namespace

static Expected<ElementType> parseDtype(StringRef descr, StringRef name) {
  StringRef kind = descr;
  bool bigEndian = kind.consume_front(">");
  if (!bigEndian && !kind.consume_front("<") && !kind.consume_front("|"))
    kind.consume_front("=");
  for (const Dtype &dtype : kDtypes) {
    if (dtype.spelling != kind)
      continue;
    if (bigEndian && byteWidth(dtype.type) > 1)
      return fail(name, "expected little-endian elements, found dtype '" + descr +
                            "'; save the array with .astype(a.dtype.newbyteorder('<'))");
    return dtype.type;
  }
  return fail(name, "unsupported dtype '" + descr +
                        "'; known are b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, and V2 for "
                        "bf16");
}

Expected<Array> parseNpy(StringRef bytes, StringRef name) {
  if (!bytes.starts_with(kMagic))
    return fail(name,
                bytes.size() < kMagic.size()
                    ? "not a .npy file: expected at least 10 bytes, found " + Twine(bytes.size())
                    : Twine("not a .npy file: it does not begin with \\x93NUMPY"));
  if (bytes.size() < 10)
    return fail(name,
                "truncated .npy header: expected at least 10 bytes, found " + Twine(bytes.size()));
  unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return fail(name, "expected .npy format version 1, 2 or 3, found " + Twine(version));
  uint64_t begin = version == 1 ? 10 : 12;
  if (bytes.size() < begin)
    return fail(name,
                "truncated .npy header: expected at least 12 bytes, found " + Twine(bytes.size()));
  uint64_t length = version == 1 ? llvm::support::endian::read16le(bytes.data() + 8)
                                 : llvm::support::endian::read32le(bytes.data() + 8);
  if (length > kMaxHeader || begin + length > bytes.size())
    return fail(name, "truncated .npy header: expected " + Twine(begin + length) +
                          " bytes, found " + Twine(bytes.size()));
  Expected<Header> header = HeaderParser(bytes.substr(begin, length), name).parse();
  if (!header)
    return header.takeError();
  if (*header->fortranOrder)
    return fail(name, "expected C order, found Fortran order; save numpy.ascontiguousarray(a)");
  Expected<ElementType> type = parseDtype(*header->descr, name);
  if (!type)
    return type.takeError();

  uint64_t expected = byteWidth(*type);
  bool empty = llvm::is_contained(*header->shape, 0);
  for (int64_t extent : *header->shape) {
    if (empty)
      break;
    if (expected > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / extent)
      return fail(name, "the shape " + describe(*type, *header->shape) + " overflows");
    expected *= extent;
  }
  if (empty)
    expected = 0;
  StringRef data = bytes.substr(begin + length);
  if (data.size() != expected)
    return fail(name, (data.size() < expected ? "truncated: expected " : "expected ") +
                          Twine(expected) + " bytes of data for " +
                          describe(*type, *header->shape) + ", found " + Twine(data.size()));
  Array array;
  array.type = *type;
  array.shape = *header->shape;
  array.data.assign(data.begin(), data.end());
  // Compiled code reads a boolean's byte as 0 or 1 and nothing else.
  if (array.type == ElementType::Bool)
    for (char &byte : array.data)
      byte = byte != 0;
  return array;
}

static Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(), "%s: cannot read: %s", path.str().c_str(),
                             buffer.getError().message().c_str());
  return std::move(*buffer);
}

Expected<Array> readNpy(StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseNpy((*buffer)->getBuffer(), path);
}

std::string formatNpy(const Array &array) {
  std::string descr;
  for (const Dtype &dtype : kDtypes)
    if (dtype.type == array.type)
      descr = (byteWidth(array.type) == 1 ? "|" : "<") + dtype.spelling.str();
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (auto [i, extent] : llvm::enumerate(array.shape))
    header += (i ? ", " : "") + std::to_string(extent);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // The data begin at a multiple of 64 bytes, and the header ends with a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';

  std::string bytes = kMagic.str();
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(array.data.begin(), array.data.end());
  return bytes;
}

Error writeNpy(StringRef path, const Array &array) { return writeFile(path, formatNpy(array)); }

//===----------------------------------------------------------------------===//
// .npz
//===----------------------------------------------------------------------===//

namespace {

constexpr uint32_t kLocalSignature = 0x04034B50;
constexpr uint32_t kCentralSignature = 0x02014B50;
constexpr uint32_t kEndSignature = 0x06054B50;
constexpr uint32_t kEnd64Signature = 0x06064B50;
constexpr uint32_t kLocator64Signature = 0x07064B50;
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56,
                 kLocator64Size = 20;
// Deflate cannot do better than this, so a larger claim is a lie about the size.
constexpr uint64_t kMaxDeflateRatio = 1040;

/// Bounds-checked little-endian reads from an archive.
class Reader {
public:
  explicit Reader(StringRef bytes) : bytes(bytes) {}

  bool has(uint64_t offset, uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  uint16_t u16(uint64_t at) const { return llvm::support::endian::read16le(bytes.data() + at); }
  uint32_t u32(uint64_t at) const { return llvm::support::endian::read32le(bytes.data() + at); }
  uint64_t u64(uint64_t at) const { return llvm::support::endian::read64le(bytes.data() + at); }
  StringRef slice(uint64_t at, uint64_t size) const { return bytes.substr(at, size); }
  uint64_t size() const { return bytes.size(); }

private:
  StringRef bytes;
};

struct Member {
  std::string name;
  uint16_t flags, method;
  uint32_t crc;
  uint64_t packed, unpacked, offset;
};

class ZipReader {
public:
  ZipReader(StringRef bytes, StringRef name) : in(bytes), name(name) {}

  Expected<std::vector<Member>> members() {
    uint64_t at, count;
    if (Error error = findDirectory(at, count))
      return error;
    std::vector<Member> result;
    for (uint64_t i = 0; i < count; ++i) {
      if (!in.has(at, kCentralSize) || in.u32(at) != kCentralSignature)
        return damaged("its directory", at);
      uint64_t nameSize = in.u16(at + 28), extraSize = in.u16(at + 30),
               commentSize = in.u16(at + 32);
      if (!in.has(at + kCentralSize, nameSize + extraSize + commentSize))
        return damaged("its directory", at);
      Member member;
      member.name = in.slice(at + kCentralSize, nameSize).str();
      member.flags = in.u16(at + 8);
      member.method = in.u16(at + 10);
      member.crc = in.u32(at + 16);
      member.packed = in.u32(at + 20);
      member.unpacked = in.u32(at + 24);
      member.offset = in.u32(at + 42);
      if (!readZip64(at + kCentralSize + nameSize, extraSize, member))
        return damaged("the zip64 entry of '" + member.name + "'", at);
      result.push_back(member);
      at += kCentralSize + nameSize + extraSize + commentSize;
    }
    return result;
  }

  Expected<std::string> extract(const Member &member) {
    std::string path = (name + ":" + member.name).str();
    if (member.flags & 1)
      return fail(path, "expected an unencrypted member, found an encrypted one");
    if (!in.has(member.offset, kLocalSize) || in.u32(member.offset) != kLocalSignature)
      return damaged("the header of '" + member.name + "'", member.offset);
    uint64_t begin =
        member.offset + kLocalSize + in.u16(member.offset + 26) + in.u16(member.offset + 28);
    if (!in.has(begin, member.packed))
      return fail(path, "truncated: expected " + Twine(member.packed) + " bytes at offset " +
                            Twine(begin) + ", but the archive has " + Twine(in.size()));
    StringRef packed = in.slice(begin, member.packed);
    std::string data;
    if (member.method == 0) {
      if (member.packed != member.unpacked)
        return fail(path, "expected a stored member of " + Twine(member.unpacked) +
                              " bytes, found " + Twine(member.packed));
      data = packed.str();
    } else if (member.method == 8) {
      if (Error error = inflate(packed, member.unpacked, path, data))
        return error;
    } else {
      return fail(path, "expected a stored or deflated member, found compression method " +
                            Twine(member.method));
    }
    auto crc = static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef *>(data.data()),
                                               static_cast<z_size_t>(data.size())));
    if (crc != member.crc)
      return fail(path, "corrupt: expected CRC-32 " + llvm::utohexstr(member.crc) + ", found " +
                            llvm::utohexstr(crc));
    return data;
  }

private:
  Error damaged(const Twine &what, uint64_t at) {
    return fail(name, "damaged .npz: " + what + " at offset " + Twine(at) +
                          " is missing or cut off (file size " + Twine(in.size()) + ")");
  }

  Error findDirectory(uint64_t &at, uint64_t &count) {
    if (in.size() < kEndSize)
      return fail(name, "not a .npz file: expected at least 22 bytes, found " + Twine(in.size()));
    // The end record sits behind all else but a comment of up to 65535 bytes.
    uint64_t end = in.size() - kEndSize;
    uint64_t lowest = end > 0xFFFF ? end - 0xFFFF : 0;
    while (in.u32(end) != kEndSignature) {
      if (end == lowest)
        return fail(name, "not a .npz file, or truncated: found no end-of-archive record");
      --end;
    }
    count = in.u16(end + 10);
    at = in.u32(end + 16);
    if (end < kLocator64Size || in.u32(end - kLocator64Size) != kLocator64Signature)
      return Error::success();
    uint64_t end64 = in.u64(end - kLocator64Size + 8);
    if (!in.has(end64, kEnd64Size) || in.u32(end64) != kEnd64Signature)
      return damaged("the zip64 end record", end64);
    count = in.u64(end64 + 32);
    at = in.u64(end64 + 48);
    return Error::success();
  }

  /// Replaces the 32-bit fields that read 0xFFFFFFFF by those of the zip64 extra field.
  bool readZip64(uint64_t at, uint64_t size, Member &member) {
    uint64_t end = at + size;
    while (at + 4 <= end) {
      uint16_t id = in.u16(at);
      uint64_t fieldEnd = at + 4 + in.u16(at + 2);
      if (fieldEnd > end)
        return false;
      at += 4;
      if (id == 1)
        for (uint64_t *field : {&member.unpacked, &member.packed, &member.offset}) {
          if (*field != 0xFFFFFFFF)
            continue;
          if (at + 8 > fieldEnd)
            return false;
          *field = in.u64(at);
          at += 8;
        }
      at = fieldEnd;
    }
    return true;
  }

  static Error inflate(StringRef packed, uint64_t size, StringRef path, std::string &data) {
    if (size > packed.size() * kMaxDeflateRatio + 64 ||
        packed.size() > std::numeric_limits<uInt>::max() || size > std::numeric_limits<uInt>::max())
      return fail(path, "a deflated member of " + Twine(packed.size()) + " bytes cannot hold the " +
                            Twine(size) + " that are claimed");
    data.resize(size);
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      return fail(path, "zlib cannot start");
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(data.data());
    stream.avail_out = static_cast<uInt>(size);
    int status = ::inflate(&stream, Z_FINISH);
    uint64_t written = stream.total_out;
    inflateEnd(&stream);
    if (status != Z_STREAM_END || written != size)
      return fail(path, "corrupt deflate stream: expected " + Twine(size) + " bytes, found " +
                            Twine(written));
    return Error::success();
  }

  Reader in;
  StringRef name;
};

} // namespace

Expected<std::map<std::string, Array>> parseNpz(StringRef bytes, StringRef name,
                                                llvm::function_ref<bool(StringRef)> wanted) {
  ZipReader zip(bytes, name);
  Expected<std::vector<Member>> members = zip.members();
  if (!members)
    return members.takeError();
  std::map<std::string, Array> arrays;
  for (const Member &member : *members) {
    StringRef key = member.name;
    key.consume_back(".npy");
    if (wanted && !wanted(key))
      continue;
    Expected<std::string> data = zip.extract(member);
    if (!data)
      return data.takeError();
    Expected<Array> array = parseNpy(*data, (name + ":" + member.name).str());
    if (!array)
      return array.takeError();
    arrays[key.str()] = std::move(*array);
  }
  return arrays;
}

Expected<std::map<std::string, Array>> readNpz(StringRef path,
                                               llvm::function_ref<bool(StringRef)> wanted) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseNpz((*buffer)->getBuffer(), path, wanted);
}

Error writeNpz(StringRef path, const std::map<std::string, Array> &arrays) {
  std::string bytes, directory;
  llvm::raw_string_ostream out(bytes), central(directory);
  auto put = [](llvm::raw_ostream &os, uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
      os << static_cast<char>(value >> (8 * i));
  };
  // Fields common to both headers, from the version to the sizes of name and extra field.
  auto putCommon = [&](llvm::raw_ostream &os, uint32_t crc, size_t size, size_t nameSize) {
    put(os, 20, 2);
    put(os, 0, 2);
    put(os, 0, 2);
    // 1980-01-01 00:00, the epoch of the format.
    put(os, 0x00210000, 4);
    put(os, crc, 4);
    put(os, size, 4);
    put(os, size, 4);
    put(os, nameSize, 2);
    put(os, 0, 2);
  };
  for (const auto &[key, array] : arrays) {
    std::string data = formatNpy(array);
    std::string member = key + ".npy";
    uint64_t offset = out.tell();
    if (data.size() >= 0xFFFFFFFF || offset >= 0xFFFFFFFF - data.size())
      return fail(path, "the archive would exceed 4 GiB");
    auto crc = static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef *>(data.data()),
                                               static_cast<z_size_t>(data.size())));
    put(out, kLocalSignature, 4);
    putCommon(out, crc, data.size(), member.size());
    out << member << data;
    put(central, kCentralSignature, 4);
    put(central, 20, 2);
    putCommon(central, crc, data.size(), member.size());
    put(central, 0, 10);
    put(central, offset, 4);
    central << member;
  }
  uint64_t begin = out.tell();
  out << directory;
  put(out, kEndSignature, 4);
  put(out, 0, 4);
  put(out, arrays.size(), 2);
  put(out, arrays.size(), 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);
  return writeFile(path, bytes);
}

} // namespace ufp4
