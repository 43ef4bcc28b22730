#include "work_thread.h"

#include "coded_error.h"

DeepThread::DeepThread(std::function<void()> body) : body_(std::move(body)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kDeepStackBytes);
  const int failed = pthread_create(&thread_, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (failed != 0) throw CodedError("ERR_MODEL_LOAD", "cannot start a thread");
}

DeepThread::~DeepThread() { pthread_join(thread_, nullptr); }

void* DeepThread::run(void* self) {
  static_cast<DeepThread*>(self)->body_();
  return nullptr;
}

WorkThread::WorkThread() : thread_([this] { run_jobs(); }) {}

WorkThread::~WorkThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
}

void WorkThread::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void WorkThread::run_jobs() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}
