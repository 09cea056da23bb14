// Puts a program together: its pieces' kernels, and a position for each value.
#pragma once

#include <vector>

#include "programs/graph_piece.hpp"
#include "programs/program.hpp"

namespace mps {

class Assembly {
 public:
  Assembly(Program& program, const sy_program& described);
  void build();

 private:
  void place_inputs_and_outputs();
  void add_piece(const Piece& piece);
  MadePiece make_piece(const Piece& piece) const;
  MadePiece make_node_piece(const Piece& piece) const;
  std::vector<uint32_t> exports_of(const Piece& piece) const;
  void export_for_users(uint32_t value, std::vector<bool>& exported) const;
  void add_copies();
  void give_room(uint32_t value);
  Location location_of(uint32_t value);
  uint64_t bytes_of(uint32_t value) const;
  void place_slots();

  Program& program_;
  const Flow flow_;
  std::vector<Abilities> abilities_;
  std::vector<Piece> pieces_;
  std::vector<size_t> piece_of_;     // of each node
  std::vector<Location> locations_;  // of each value; absent: none yet
};

}  // namespace mps
