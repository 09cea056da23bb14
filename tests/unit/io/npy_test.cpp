// .npy files: what numpy writes, what we write, and every way to be cut short.
#include "io/npy.hpp"

#include <fstream>
#include <span>
#include <switchyard/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file as numpy lays it out.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  const std::size_t size = dictionary.size() + 1;
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += static_cast<char>(size >> (8 * i) & 0xFF);
  return file + dictionary + "\n" + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Literal parse(const std::string& file, DType expected = DType::undefined) {
  return read_npy_bytes(bytes_of(file), "f.npy", expected);
}

std::string refusal_of(const std::string& file, DType expected = DType::undefined) {
  try {
    parse(file, expected);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(NpyTest, ReadsWhatNumpyWrites) {
  const std::string data("\0\0\x80\x3f\0\0\0\x40", 8);
  for (const int version : {1, 2, 3}) {
    const Literal literal = parse(npy(dictionary("<f4", "(2, 1)"), data, version));
    EXPECT_EQ(literal.dtype(), DType::float32);
    EXPECT_EQ(literal.shape(), (Dims{2, 1}));
    EXPECT_THAT(literal.values<float>(), ElementsAre(1, 2));
  }
}

TEST(NpyTest, ReadsBothByteOrders) {
  EXPECT_THAT(parse(npy(dictionary(">i2", "(2,)"), std::string("\1\2\xff\xfe", 4))).to_int64s(),
              ElementsAre(0x0102, -2));
  const Literal complex =
      parse(npy(dictionary(">c8", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  const auto* parts = reinterpret_cast<const float*>(complex.bytes());
  EXPECT_EQ(parts[0], 1.0f);
  EXPECT_EQ(parts[1], 2.0f);
}

TEST(NpyTest, BringsFortranOrderIntoRows) {
  const std::string columns("\1\4\2\5\3\6", 6);
  EXPECT_THAT(parse(npy(dictionary("|u1", "(2, 3)", true), columns)).to_int64s(),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const std::string cube("\0\4\2\6\1\5\3\7", 8);
  EXPECT_THAT(parse(npy(dictionary("|u1", "(2, 2, 2)", true), cube)).to_int64s(),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(NpyTest, ReadsText) {
  std::string wide;
  for (const char32_t c : {U'a', U'\0', U'\u00e9', U'\U0001F600'})
    wide.append(reinterpret_cast<const char*>(&c), 4);
  EXPECT_THAT(parse(npy(dictionary("<U2", "(2,)"), wide)).strings(),
              ElementsAre("a", "\xc3\xa9\xf0\x9f\x98\x80"));
  EXPECT_THAT(parse(npy(dictionary("|S3", "(2,)"), std::string("ab\0cde", 6))).strings(),
              ElementsAre("ab", "cde"));
}

TEST(NpyTest, LetsTheCallerSayWhatABareTypeMeans) {
  const std::string two(4, '\x3f');
  EXPECT_EQ(parse(npy(dictionary("<V2", "(2,)"), two)).dtype(), DType::bfloat16);
  EXPECT_EQ(parse(npy(dictionary("<u2", "(2,)"), two)).dtype(), DType::uint16);
  EXPECT_EQ(parse(npy(dictionary("<u2", "(2,)"), two), DType::bfloat16).dtype(), DType::bfloat16);
  const std::string one(2, '\x30');
  EXPECT_THAT(refusal_of(npy(dictionary("|V1", "(2,)"), one)), HasSubstr("unknown meaning"));
  EXPECT_EQ(parse(npy(dictionary("|V1", "(2,)"), one), DType::float8e5m2).dtype(),
            DType::float8e5m2);
  const std::string small("\7\xf8\1", 3);
  const Literal packed = parse(npy(dictionary("|i1", "(3,)"), small), DType::int4);
  EXPECT_EQ(packed.dtype(), DType::int4);
  EXPECT_THAT(packed.to_int64s(), ElementsAre(7, -8, 1));
  EXPECT_THAT(refusal_of(npy(dictionary("|i1", "(1,)"), "\x10"), DType::int4),
              HasSubstr("holds 16, which does not fit int4"));
}

TEST(NpyTest, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.npy";
  for (int number = 1; number <= static_cast<int>(kLastDType); ++number) {
    const auto dtype = static_cast<DType>(number);
    if (dtype == DType::string) continue;
    for (const Dims& shape : {Dims{}, Dims{3}, Dims{2, 3}, Dims{0, 2}}) {
      Literal literal(dtype, shape);
      for (std::size_t i = 0; i < literal.size_bytes(); ++i) {
        literal.mutable_bytes()[i] = static_cast<std::byte>(i % 2);
      }
      write_npy(path, literal);
      const Literal back = read_npy(path, dtype);
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.shape(), shape);
      EXPECT_TRUE(std::equal(literal.bytes(), literal.bytes() + literal.size_bytes(), back.bytes()))
          << name_of(dtype);
    }
  }
  write_npy(path, Literal({2}, {"a\xc3\xa9", ""}));
  EXPECT_THAT(read_npy(path).strings(), ElementsAre("a\xc3\xa9", ""));
}

TEST(NpyTest, AlignsTheData) {
  const TemporaryFolder folder;
  write_npy(folder.path() / "a.npy", Literal(DType::int64, {2, 3}));
  std::ifstream file(folder.path() / "a.npy", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ((bytes.size() - 48) % 64, 0u);
  EXPECT_EQ(bytes[bytes.size() - 49], '\n');
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<i8', 'fortran_order': False, 'shape': (2,3), }"));
}

TEST(NpyTest, RefusesWhatItCannotRead) {
  EXPECT_THAT(refusal_of("PK\3\4 not an array"), HasSubstr("f.npy: it is not a .npy file"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(1,)"), "1234", 9)), HasSubstr("version is 9"));
  EXPECT_THAT(refusal_of(npy(dictionary("|O", "(1,)"), "1234")), HasSubstr("Python objects"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f16", "(1,)"), std::string(16, 'x'))),
              HasSubstr("'f16' is not supported"));
  EXPECT_THAT(refusal_of(npy(dictionary("<M8[ns]", "(1,)"), std::string(8, 'x'))),
              HasSubstr("'<M8[ns]' is not supported"));
  EXPECT_THAT(refusal_of(npy("{'descr': [('a', '<f4')], }", "1234")), HasSubstr("records"));
  EXPECT_THAT(refusal_of(npy("{'descr': '<f4', 'shape': (1,), }", "1234")), HasSubstr("lacks"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(-1,)"), "")), HasSubstr("negative extent"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(2,)"), "1234")),
              HasSubstr("promises 8 bytes of f4, but 4 follow; it is cut short"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(1,)"), "123456")), HasSubstr("damaged"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(4611686018427387904, 8)"), "")),
              HasSubstr("more elements"));
  EXPECT_THAT(refusal_of(npy(dictionary("<f4", "(99999999999999999999,)"), "")),
              HasSubstr("no numbers"));
  EXPECT_THAT(refusal_of(npy(dictionary("<U99999999999", "(1,)"), "")), HasSubstr("not supported"));
  EXPECT_THAT(refusal_of(npy(dictionary("|S0", "(72057594037927936,)"), "")),
              HasSubstr("empty texts"));
}

TEST(NpyTest, NamesAFileThatIsNotThere) {
  try {
    read_npy("/nowhere/a.npy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/a.npy: cannot read it: No such file"));
  }
}

TEST(NpyTest, RefusesFilesCutShortAtAnyByte) {
  for (const std::string& file :
       {npy(dictionary("<f4", "(2, 1)"), std::string(8, '\1')),
        npy(dictionary("<U3", "(1,)"), std::string(12, '\0'), 2),
        npy(dictionary("|i1", "(2, 2)", true), std::string(4, '\1'), 3)}) {
    EXPECT_EQ(refusal_of(file), "");
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_NE(refusal_of(file.substr(0, size)), "") << size;
    }
  }
}

TEST(NpyTest, SurvivesAnyWrongByte) {
  for (const std::string& file : {npy(dictionary("<f4", "(2, 1)"), std::string(8, '\1')),
                                  npy(dictionary("<U3", "(1,)", true), std::string(12, '\1'), 2)}) {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
      for (const int flip : {0x01, 0x04, 0x10, 0x80, 0xFF}) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        if (!refusal_of(damaged).empty()) ++refused;
        refusal_of(damaged, DType::int4);
      }
    }
    EXPECT_GT(refused, file.size());
  }
}

}  // namespace
}  // namespace switchyard
