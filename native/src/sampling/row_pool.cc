#include "sampling/row_pool.h"

RowPool::RowPool(size_t threads) {
  for (size_t thread = 1; thread < threads; ++thread) {
    helpers_.push_back(std::make_unique<DeepThread>([this, thread] { help(thread); }));
  }
}

RowPool::~RowPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  helpers_.clear();
}

void RowPool::run(size_t rows, const std::function<void(size_t, size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    rows_ = rows;
    next_row_ = 0;
    busy_helpers_ = helpers_.size();
    ++round_;
  }
  start_.notify_all();
  take_rows(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_helpers_ == 0; });
}

void RowPool::take_rows(size_t thread) {
  for (size_t row = next_row_++; row < rows_; row = next_row_++) (*work_)(row, thread);
}

void RowPool::help(size_t thread) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    lock.unlock();
    take_rows(thread);
    lock.lock();
    if (--busy_helpers_ == 0) done_.notify_one();
  }
}
