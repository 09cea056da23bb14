// Text, which never reaches a plugin: rows to read and check models by.
#include "ops/shapes/text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

std::vector<Row> text_rows() {
  return {
      {.op = "StringNormalizer",
       .version = 10,
       .signature = "X:string -> Y:string",
       .attributes =
           "case_change_action:text(LOWER|UPPER|NONE)=NONE is_case_sensitive:flag=0 locale:text "
           "stopwords:texts",
       .shape = string_normalizer_shape},
      {.op = "StringConcat",
       .version = 20,
       .signature = "X:T Y:T -> Z:T",
       .types = "T=string",
       .shape = broadcast_shape},
      {.op = "StringSplit",
       .version = 20,
       .signature = "X:string -> Y:string Z:int64",
       .attributes = "delimiter:text maxsplit:int",
       .shape = string_split_shape},
      {.op = "RegexFullMatch",
       .version = 20,
       .signature = "X:string -> Y:bool",
       .attributes = "pattern:text",
       .shape = shape_of_first_input},
      {.op = "TfIdfVectorizer",
       .version = 9,
       .signature = "X:T -> Y:float32",
       .attributes =
           "max_gram_length:int! max_skip_count:int! min_gram_length:int! mode:text(TF|IDF|TFIDF)! "
           "ngram_counts:ints! ngram_indexes:ints! pool_int64s:ints pool_strings:texts "
           "weights:floats",
       .types = "T=int32|int64|string",
       .shape = tf_idf_vectorizer_shape},
  };
}

}  // namespace switchyard
