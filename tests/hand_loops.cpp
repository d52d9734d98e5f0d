#include "judge.hpp"

#include <multihead/loops/hand.hpp>

const judge::AnyHand& judge::loops() {
    static const AnyHand hand = any_hand<multihead::Loops, multihead::LoopsSoftmax>("loops");
    return hand;
}
