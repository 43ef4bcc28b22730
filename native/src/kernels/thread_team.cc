#include "kernels/thread_team.h"

#include <utility>

ThreadTeam::ThreadTeam(size_t threads, std::function<void(size_t)> work) : work_(std::move(work)) {
  try {
    for (size_t thread = 1; thread < threads; ++thread) {
      helpers_.push_back(std::make_unique<DeepThread>([this, thread] { help(thread); }));
    }
  } catch (...) {
    stop();
    throw;
  }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  helpers_.clear();
}

void ThreadTeam::run(const std::function<void()>& prepare) {
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return helping_ == 0; });
    prepare();
    running_ = true;
    ++round_;
  }
  start_.notify_all();
  work_(0);
  const std::lock_guard lock(mutex_);
  running_ = false;
}

void ThreadTeam::help(size_t thread) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return stopping_ || (running_ && round_ != seen); });
    if (stopping_) return;
    seen = round_;
    ++helping_;
    lock.unlock();
    work_(thread);
    lock.lock();
    if (--helping_ == 0) idle_.notify_one();
  }
}
