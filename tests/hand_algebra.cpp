#include "judge.hpp"

#include <multihead/algebra/hand.hpp>

const judge::AnyHand& judge::algebra() {
    static const AnyHand hand = any_hand<multihead::Algebra, multihead::AlgebraSoftmax>("algebra");
    return hand;
}
