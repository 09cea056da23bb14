// refused: not handled in switch
#include "seam/graph.hpp"

int family(mps::seam::Operation operation) {
  switch (operation) {
    case mps::seam::Operation::input: return 0;
  }
  return 1;
}
