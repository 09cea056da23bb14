#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace switchyard::cli {

enum class Colour { bold, dim, red, green, yellow };

/// True if `stream` is a terminal that escape sequences steer: TERM names one that is not dumb.
bool obeys_escapes(std::FILE* stream);

/// True if `stream` is a terminal that wants colours: NO_COLOR is unset.
bool shows_colours(std::FILE* stream);

/// What the program prints: standard output, to which nothing else in this process writes. What a
/// library prints, which knows of no --json, goes to standard error from the first call on.
std::FILE* program_output();

/// The text in a colour, as `stream` shows it: as it is where no colours are shown.
std::string paint(Colour colour, std::string_view text, std::FILE* stream = program_output());

/// Columns that the text takes on a terminal: colours take none, a UTF-8 sequence one.
std::size_t display_width(std::string_view text);

/// Columns of the terminal behind `stream`; 0 if it is none.
std::size_t terminal_columns(std::FILE* stream);

/// The text as a terminal may be shown it, names out of files and all: see plain_text. Colours of
/// `paint` stay if asked for; nothing else steers the terminal.
std::string printable(std::string_view text, bool with_colours);

/// Writes text to the program's output, made printable.
void print(std::string_view text);

/// Writes to standard error, as it is; what cannot be written is lost.
void print_message(std::string_view text);

/// One line on standard error: "switchyard: error: what, where, how to fix".
void print_error(std::string_view line);

}  // namespace switchyard::cli
