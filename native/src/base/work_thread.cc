#include "base/work_thread.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/coded_error.h"

namespace {

// The stack that is in use below this function's frame, with room for the calls that release it.
constexpr size_t kStackInUseBytes = 64 * 1024;

void release_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<uintptr_t>(lowest);
  const uintptr_t used = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - kStackInUseBytes;
  if (used > start) madvise(lowest, (used - start) / page * page, MADV_DONTNEED);
}

}  // namespace

DeepThread::DeepThread(std::function<void()> body, size_t stack_bytes) : body_(std::move(body)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const int failed = pthread_create(&thread_, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (failed != 0) throw CodedError("ERR_MODEL_LOAD", "cannot start a thread");
}

DeepThread::~DeepThread() { pthread_join(thread_, nullptr); }

void* DeepThread::run(void* self) {
  static_cast<DeepThread*>(self)->body_();
  return nullptr;
}

WorkThread::WorkThread(const WorkThreadOptions& options) : options_(options) {
  for (size_t index = 0; index < options.count; ++index) {
    threads_.push_back(std::make_unique<DeepThread>([this] { run_jobs(); }, options.stack_bytes));
  }
}

WorkThread::~WorkThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

void WorkThread::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void WorkThread::run_jobs() {
  // On Linux, priorities belong to threads.
  if (options_.niceness != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), options_.niceness);
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    if (options_.releases_stack) release_stack();
    lock.lock();
  }
}
