# Turns the headers of the ABI into a C program that prints what a plugin is compiled with: where each
# field of each struct lies and how long it is, the structs' sizes, the values of enumerators.
BEGIN {
  print "#include <stdio.h>\n#include <switchyard/kernels.h>\n#include <switchyard/ops.h>\n#include <switchyard/layer.h>\n#include <switchyard/collectives.h>"
  print "#define FIELD(type, field) \\"
  print "  printf(\"%s.%s %zu %zu\\n\", #type, #field, offsetof(type, field), \\"
  print "         sizeof(((type*)0)->field))"
  print "int main(void) {"
}
in_comment { if (!sub(/.*\*\//, "")) next; in_comment = 0 }
{ gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "") }  # comments that end on their line
sub(/\/\*.*/, "") { in_comment = 1 }
{
  rest = $0
  while (match(rest, /SY_[A-Z0-9_]+ +=/)) {
    split(substr(rest, RSTART, RLENGTH), word, " ")
    printf "  printf(\"%s %%lld\\n\", (long long)%s);\n", word[1], word[1]
    rest = substr(rest, RSTART + RLENGTH)
  }
}
/^typedef struct [a-z_]+ \{/ { type = $3; next }
/^\} [a-z_]+;/ { if (type) printf "  printf(\"%s %%zu\\n\", sizeof(%s));\n", type, type; type = ""; next }
type && match($0, /\(\*[a-z_]+\)/) { field(substr($0, RSTART + 2, RLENGTH - 3)); next }
type && match($0, /[a-z_]+(\[[0-9A-Z_]+\])?;/) {
  name = substr($0, RSTART, RLENGTH)
  sub(/[\[;].*/, "", name)
  field(name)
}
function field(name) { printf "  FIELD(%s, %s);\n", type, name }
END { print "  return 0;\n}" }
