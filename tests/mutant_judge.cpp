// Puts a mutant before the laws: `mutant_judge loops` or `mutant_judge algebra` prints every law that does not hold of
// this hand, and how it failed, at the shapes that every law is tested at and at one square shape. The first of the
// three seeds must do, unless every law holds. Any other arguments are doctest's, for the tests of edges.
//
// A mutant may crash or never end. So each law is asked in a process of its own.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "laws.hpp"
#include "poisoned_heap.hpp"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

using judge::AnyHand;
using judge::Law;
using judge::Shape;

namespace {

enum Answer : int { holds, rejects, throws };

// Up to the first shape that fails.
Answer answer(const Law& law, const AnyHand& hand, std::uint64_t seed, const std::vector<Shape>& shapes) {
    judge::fill_new_memory(0);  // what a mutant leaves unset is 0 in every run: the tests of memory look at that
    try {
        for (const Shape& shape : shapes) {
            if (!law.admits(shape)) continue;
            if (law.worlds.free && hand.in_free && !judge_free(law, hand, seed, shape).holds) return rejects;
            if (law.worlds.real && hand.in_double && !judge_double(law, hand, seed, shape).holds) return rejects;
            if (law.worlds.homomorphic && hand.in_exponent && !judge_exponent(law, hand, seed, shape).holds)
                return rejects;
        }
    } catch (const std::exception&) {
        return throws;
    }
    return holds;
}

// How a law fails, in one word; empty if it holds.
std::string failure(const Law& law, const AnyHand& hand, std::uint64_t seed, const std::vector<Shape>& shapes) {
    constexpr itimerval limit{.it_interval = {}, .it_value = {.tv_sec = 20, .tv_usec = 0}};
    const pid_t child = fork();
    if (child == 0) {
        setitimer(ITIMER_PROF, &limit, nullptr);  // CPU time: no mutant hangs because the machine is busy
        _exit(answer(law, hand, seed, shapes));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) throw std::runtime_error("cannot run a process");
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGPROF ? "hangs" : "crashes";
    return WEXITSTATUS(status) == holds ? "" : WEXITSTATUS(status) == rejects ? "rejects" : "throws";
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc == 2 ? argv[1] : "";
    if (name != "loops" && name != "algebra") return doctest::Context(argc, argv).run();
    const AnyHand& hand = name == "loops" ? judge::loops() : judge::algebra();
    std::vector<Shape> shapes = judge::general_shapes();
    shapes.insert(shapes.end(), judge::edge_shapes().begin(), judge::edge_shapes().end());
    const std::vector<Shape> square = {{.n = 4, .m = 4, .d_model = 4, .d_k = 4, .d_v = 4, .H = 2}};
    bool killed = false;
    for (std::uint64_t seed = 1; seed <= 3 && !killed; ++seed)
        for (const Law& law : judge::all_laws())
            for (const auto& [suite, of_suite] : {std::pair("all", shapes), std::pair("square", square)}) {
                const std::string how = failure(law, hand, seed, of_suite);
                if (how.empty()) continue;
                std::cout << suite << ' ' << how << ' ' << law.number << std::endl;
                killed = true;
            }
}
