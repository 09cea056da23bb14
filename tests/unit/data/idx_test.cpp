// IDX files: every type, packed and plain, and every way to be cut short; the sets made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include <optional>
#include <switchyard/data.hpp>

#include "io/error_line.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string idx(int code, const std::vector<int>& extents, const std::string& data) {
  std::string file{'\0', '\0', static_cast<char>(code), static_cast<char>(extents.size())};
  for (const int extent : extents) {
    for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(extent >> shift & 0xFF);
  }
  return file + data;
}

void write_packed(const fs::path& path, const std::string& bytes) {
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  EXPECT_EQ(gzclose(file), Z_OK);
}

class IdxTest : public testing::Test {
 protected:
  Tensor read(const std::string& bytes) {
    write_bytes(path_, bytes);
    return read_idx(path_);
  }
  std::string refusal_of(const std::string& bytes) {
    return error_line([&] { read(bytes); });
  }
  /// One of the four files of a set.
  void add(const std::string& name, const std::string& bytes) {
    write_bytes(folder_.path() / name, bytes);
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "file";
};

TEST_F(IdxTest, ReadsEveryType) {
  EXPECT_THAT(read(idx(0x08, {2}, "\x01\xff")).to_vector<std::uint8_t>(), ElementsAre(1, 255));
  EXPECT_THAT(read(idx(0x09, {2}, "\x01\xff")).to_vector<std::int8_t>(), ElementsAre(1, -1));
  EXPECT_THAT(read(idx(0x0B, {1}, "\x01\x02")).to_vector<std::int16_t>(), ElementsAre(0x0102));
  EXPECT_THAT(read(idx(0x0C, {1}, "\xff\xff\xff\xfe")).to_vector<std::int32_t>(), ElementsAre(-2));
  EXPECT_THAT(read(idx(0x0D, {1}, std::string("\x3f\x80\0\0", 4))).to_vector<float>(),
              ElementsAre(1));
  EXPECT_THAT(read(idx(0x0E, {1}, std::string("\xc0\0\0\0\0\0\0\0", 8))).to_vector<double>(),
              ElementsAre(-2));
}

TEST_F(IdxTest, ReadsShapes) {
  EXPECT_EQ(read(idx(0x08, {2, 1, 3}, "123456")).shape(), (Dims{2, 1, 3}));
  EXPECT_EQ(read(idx(0x08, {0, 28}, "")).shape(), (Dims{0, 28}));
  EXPECT_EQ(read(idx(0x08, {}, "1")).shape(), Dims{});
}

TEST_F(IdxTest, ReadsPackedFilesAsPlainOnes) {
  write_packed(path_, idx(0x0B, {2}, std::string("\0\1\0\2", 4)));
  EXPECT_THAT(read_idx(path_).to_vector<std::int16_t>(), ElementsAre(1, 2));
}

TEST_F(IdxTest, RefusesWhatIsNoIdxFile) {
  EXPECT_THAT(refusal_of(""), HasSubstr("/file: it is not an IDX file"));
  EXPECT_THAT(refusal_of("PNG!"), HasSubstr("it is not an IDX file"));
  EXPECT_THAT(refusal_of(idx(0x0A, {1}, "1")), HasSubstr("it is not an IDX file"));
  EXPECT_THAT(error_line([&] { read_idx(folder_.path() / "none"); }),
              HasSubstr("none: cannot read it: No such file"));
  EXPECT_THAT(error_line([&] { read_idx(folder_.path()); }),
              HasSubstr("cannot read it: Is a directory"));
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_line([&] { read_idx(folder_.path() / "pipe"); }),
              HasSubstr("cannot read it: it is not a regular file"));
}

TEST_F(IdxTest, RefusesFilesOfAnotherLength) {
  const std::string whole = idx(0x0B, {2, 1}, "1234");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
  }
  EXPECT_THAT(refusal_of(whole.substr(0, 6)), HasSubstr("cut short inside its head"));
  EXPECT_THAT(refusal_of(whole.substr(0, 15)), HasSubstr("promises 4 bytes, but 3 follow"));
  EXPECT_THAT(refusal_of(whole + "5"), HasSubstr("more follows than the 4 bytes"));
  // A head that promises more than there is memory asks for none.
  EXPECT_THAT(refusal_of(idx(0x08, {2147483647, 100000}, "1")), HasSubstr("but 1 follow"));
}

TEST_F(IdxTest, RefusesPackedFilesThatAreDamagedOrCutShort) {
  std::string noise;
  for (int i = 0; i < 1000; ++i) noise += static_cast<char>(i * i % 251);
  write_packed(path_, idx(0x08, {1000}, noise));
  const std::string whole = bytes_in(path_);
  for (std::size_t size = 20; size < whole.size() - 9; size += 7) {
    EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // in the checksum
  EXPECT_THAT(refusal_of(damaged), HasSubstr("damaged or cut short, says zlib"));
}

TEST_F(IdxTest, RefusesWhatFollowsThePackedBytes) {
  write_packed(path_, idx(0x08, {3}, "abc"));
  const std::string whole = bytes_in(path_);
  for (const std::string& more : {std::string("junk"), std::string("x"), std::string("\0", 1),
                                  std::string("\x1f"), std::string(100000, ' ')}) {
    EXPECT_THAT(refusal_of(whole + more),
                HasSubstr(std::to_string(more.size()) + " bytes follow the end of what gzip"));
  }
  // A member that begins and does not go on is one that is cut short.
  EXPECT_THAT(refusal_of(whole + "\x1f\x8b"), HasSubstr("damaged or cut short"));
}

TEST_F(IdxTest, ReadsMembersInARowAsOne) {
  const std::string all = idx(0x08, {6}, "abcdef");
  std::string packed;
  for (const std::string& part : {all.substr(0, 5), all.substr(5, 4), all.substr(9)}) {
    write_packed(path_, part);
    packed += bytes_in(path_);
  }
  EXPECT_EQ(read(packed).shape(), (Dims{6}));
  EXPECT_THAT(read(packed).to_vector<std::uint8_t>(), testing::ElementsAreArray("abcdef", 6));
}

TEST_F(IdxTest, MakesASetOfTwoFiles) {
  add("train-images-idx3-ubyte", idx(0x08, {2, 1, 2}, "abcd"));
  write_packed(folder_.path() / "train-labels-idx1-ubyte.gz", idx(0x08, {2}, "\x01\x02"));
  const auto [images, labels] = mnist(folder_.path());
  EXPECT_EQ(images.shape(), (Dims{2, 1, 2}));
  EXPECT_THAT(labels.to_vector<std::uint8_t>(), ElementsAre(1, 2));
  EXPECT_THAT(error_line([&] { mnist(folder_.path(), false); }),
              HasSubstr("t10k-images-idx3-ubyte: there is no such file, nor with .gz"));
}

TEST_F(IdxTest, RefusesFilesThatDoNotBelongTogether) {
  add("t10k-images-idx3-ubyte", idx(0x08, {2, 1, 1}, "ab"));
  add("t10k-labels-idx1-ubyte", idx(0x08, {3}, "abc"));
  EXPECT_THAT(error_line([&] { mnist(folder_.path(), false); }),
              HasSubstr("it has 3 labels for 2 pictures"));
  add("t10k-labels-idx1-ubyte", idx(0x0B, {2}, "abcd"));
  EXPECT_THAT(error_line([&] { mnist(folder_.path(), false); }),
              HasSubstr("it holds int16 of shape [2]; uint8 of rank 1 belongs here"));
}

TEST_F(IdxTest, NamesThePackageOfFashionMnist) {
  EXPECT_THAT(error_line([&] { fashion_mnist(folder_.path()); }),
              HasSubstr("install the Debian package dataset-fashion-mnist"));
}

TEST(FashionMnistTest, IsReadFromThePackage) {
  if (!fs::exists("/usr/share/datasets/fashion-mnist") && !getenv("FASHION_MNIST")) {
    ASSERT_EQ(getenv("SWITCHYARD_REQUIRE_DATA"), nullptr) << "dataset-fashion-mnist is missing";
    GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  }
  const LabelledImages test = fashion_mnist("", false);
  EXPECT_EQ(test.images.shape(), (Dims{10000, 28, 28}));
  EXPECT_EQ(test.images.dtype(), DType::uint8);
  std::vector<int> classes(10);
  for (const std::uint8_t label : test.labels.to_vector<std::uint8_t>()) ++classes.at(label);
  EXPECT_THAT(classes, testing::Each(1000));
}

}  // namespace
}  // namespace switchyard
