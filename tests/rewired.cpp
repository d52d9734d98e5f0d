#include "rewired.hpp"

template struct multihead::Loops<double>;
template struct multihead::Loops<multihead::Interval<double>>;
template struct multihead::Loops<multihead::Free>;
template struct judge::Rewired<double>;
template struct judge::Rewired<multihead::Interval<double>>;
template struct judge::Rewired<multihead::Free>;
