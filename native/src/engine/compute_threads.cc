#include "engine/compute_threads.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr size_t kThreadNameMax = 16;
constexpr int64_t kWindow = 20'000'000;

int64_t monotonic() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Statistics of a thread of this process: time on a core, time runnable without a core, time slices; nanoseconds.
FileDescriptor open_statistics(const std::filesystem::path& task) {
  return FileDescriptor(open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC));
}

int64_t read_waited(const FileDescriptor& statistics) {
  std::array<char, 80> line{};
  if (pread(statistics.value(), line.data(), line.size() - 1, 0) <= 0) return 0;
  char* end = line.data();
  std::strtoll(end, &end, 10);
  return std::strtoll(end, nullptr, 10);
}

// A new thread inherits the name of the thread that starts it, so a unique name identifies the threads started here.
ThreadpoolPointer make_named_threadpool(int32_t threads, int32_t poll, const std::string& name) {
  std::array<char, kThreadNameMax> own{};
  prctl(PR_GET_NAME, own.data());
  prctl(PR_SET_NAME, name.c_str());
  struct Restore {
    const char* name;
    ~Restore() { prctl(PR_SET_NAME, name); }
  } const restore{own.data()};
  return make_threadpool(threads, poll);
}

std::vector<FileDescriptor> statistics_of(const std::string& name) {
  std::vector<FileDescriptor> statistics;
  std::error_code unreadable;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", unreadable)) {
    std::string line;
    std::ifstream comm(task.path() / "comm");
    if (!std::getline(comm, line) || line != name) continue;
    FileDescriptor opened = open_statistics(task.path());
    if (opened.value() >= 0) statistics.push_back(std::move(opened));
  }
  return statistics;
}

}  // namespace

ComputeThreads::ComputeThreads(int32_t threads, int32_t poll) : threads_max_(threads), governor_(threads) {
  static std::atomic<unsigned> pools{0};
  const std::string name = "compute-" + std::to_string(pools++);
  pool_ = make_named_threadpool(threads, poll, name);
  pool_statistics_ = statistics_of(name);
}

void ComputeThreads::attach(llama_context* context, bool fixed) {
  context_ = context;
  // Without the kernel's statistics of every thread, the number of threads stays fixed.
  fixed_ = fixed || pool_statistics_.size() + 1 != static_cast<size_t>(threads_max_);
  llama_attach_threadpool(context, pool_.get(), pool_.get());
}

int64_t ComputeThreads::waited() const {
  int64_t sum = read_waited(caller_statistics_);
  for (const FileDescriptor& statistics : pool_statistics_) sum += read_waited(statistics);
  return sum;
}

void ComputeThreads::watch_caller() {
  if (caller_ == gettid()) return;
  caller_ = gettid();
  caller_statistics_ = open_statistics("/proc/thread-self");
  window_wall_ = 0;
  window_waited_ = waited();
}

ComputeThreads::Graph::Graph(ComputeThreads& threads) : threads_(threads) {
  llama_set_n_threads(threads.context_, threads.count(), threads.count());
  if (threads.fixed_) return;
  threads.watch_caller();
  started_ = monotonic();
}

ComputeThreads::Graph::~Graph() {
  ComputeThreads& threads = threads_;
  if (threads.fixed_) return;
  const int64_t now = monotonic();
  threads.window_wall_ += now - started_;
  if (threads.window_wall_ < kWindow) return;
  const int64_t waited = threads.waited();
  threads.governor_.observe(threads.window_wall_, waited - threads.window_waited_, now);
  threads.window_wall_ = 0;
  threads.window_waited_ = waited;
}
