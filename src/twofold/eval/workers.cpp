#include "twofold/eval/workers.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <sstream>

#include "twofold/base/error.h"

extern char** environ;

namespace twofold::eval {
namespace {

constexpr const char* kWords[] = {"started", "progress", "finished", "failed"};

[[noreturn]] void fail(const char* what, int code) {
  throw Error(fmt::format("cannot {} a worker: {}", what, system_error_text(code)));
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("make a pipe for", errno);
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

// A started process, ended with the object.
class WorkerProcess {
 public:
  explicit WorkerProcess(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, life_.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, words_.ends[1], STDOUT_FILENO);
    const int error = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail("start", error);
    life_.close_end(0);
    words_.close_end(1);
    is_running_ = true;
  }
  ~WorkerProcess() {
    if (!is_running_) return;
    kill(process_, SIGTERM);
    wait();
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int words() const { return words_.ends[0]; }

  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    is_running_ = false;
    return status;
  }

  std::optional<std::size_t> task;  // it is at
  std::string fatal;
  std::string unread;

 private:
  Pipe life_;   // never written: the worker sees its end
  Pipe words_;  // what the worker says
  pid_t process_ = -1;
  bool is_running_ = false;
};

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = sigdescr_np(WTERMSIG(status));
    return fmt::format("the worker was ended by signal {} ({})", WTERMSIG(status),
                       name == nullptr ? "?" : name);
  }
  return fmt::format("the worker exited with code {}", WEXITSTATUS(status));
}

void write_line(std::string line) {
  for (char& c : line)
    if (c == '\n') c = ' ';
  line += '\n';
  std::size_t at = 0;
  while (at < line.size()) {
    const ssize_t written = write(STDOUT_FILENO, line.data() + at, line.size() - at);
    if (written < 0 && errno != EINTR) return;  // nobody listens any more
    if (written > 0) at += static_cast<std::size_t>(written);
  }
}

class Supervisor {
 public:
  Supervisor(const Plan& plan, RunFolder& folder, const WorkersOptions& options)
      : folder_(folder), options_(options), tasks_(list_tasks(plan)) {}

  void run() {
    for (int i = 0; i < options_.jobs; ++i) start();
    while (!workers_.empty()) {
      std::vector<pollfd> waiting;
      for (const auto& worker : workers_) waiting.push_back({worker->words(), POLLIN, 0});
      const int ready = poll(waiting.data(), waiting.size(), 200);
      if (ready < 0 && errno != EINTR) fail("listen to", errno);
      for (std::size_t i = waiting.size(); ready > 0 && i-- > 0;)
        if (waiting[i].revents != 0 && !listen(*workers_[i])) bury(i);
      if (options_.on_tick) options_.on_tick();
    }
  }

 private:
  void start() { workers_.push_back(std::make_unique<WorkerProcess>(options_.command)); }

  // False once the worker has said all it will ever say.
  bool listen(WorkerProcess& worker) {
    char buffer[4096];
    const ssize_t got = read(worker.words(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    worker.unread.append(buffer, static_cast<std::size_t>(got));
    for (auto end = worker.unread.find('\n'); end != std::string::npos; end = worker.unread.find('\n')) {
      hear(worker, worker.unread.substr(0, end));
      worker.unread.erase(0, end + 1);
    }
    return true;
  }

  void hear(WorkerProcess& worker, const std::string& line) {
    std::istringstream stream(line);
    std::string word;
    WorkEvent event;
    stream >> word;
    if (word == "fatal") {
      std::getline(stream >> std::ws, worker.fatal);
      return;
    }
    // Numbers as text, since a score may be nan, which streams do not read.
    std::string seconds, score;
    stream >> event.task >> seconds >> score >> event.done >> event.total;
    std::getline(stream >> std::ws, event.reason);
    event.seconds = std::strtod(seconds.c_str(), nullptr);
    event.score = std::strtod(score.c_str(), nullptr);
    for (int kind = 0; kind < 4; ++kind)
      if (word == kWords[kind]) event.kind = static_cast<WorkEvent::Kind>(kind);
    TWOFOLD_CHECK(event.task < tasks_.size(), "a worker said {}", in_quotes(line));
    const bool is_over = event.kind == WorkEvent::Kind::kFinished || event.kind == WorkEvent::Kind::kFailed;
    worker.task = is_over ? std::nullopt : std::optional<std::size_t>(event.task);
    if (options_.on_event) options_.on_event(event);
  }

  void bury(std::size_t i) {
    const int status = workers_[i]->wait();
    const std::optional<std::size_t> task = workers_[i]->task;
    const std::string fatal = workers_[i]->fatal;
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!fatal.empty()) throw Error(fatal);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string reason = describe_end(status);
    if (!task) throw Error(reason);
    const std::string name = task_name(tasks_[*task]);
    if (!folder_.has("tasks/" + name + ".json")) {
      write_failure(tasks_[*task], folder_, reason);
      WorkEvent event;
      event.kind = WorkEvent::Kind::kFailed;
      event.task = *task;
      event.reason = reason;
      if (options_.on_event) options_.on_event(event);
    }
    start();
  }

  RunFolder& folder_;
  const WorkersOptions& options_;
  std::vector<TaskId> tasks_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
};

}  // namespace

void run_workers(const Plan& plan, RunFolder& folder, const WorkersOptions& options) {
  Supervisor(plan, folder, options).run();
}

std::function<void(const WorkEvent&)> report_to_parent() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have died before that call: then its end of our standard input is closed already.
  pollfd life{STDIN_FILENO, 0, 0};
  if (poll(&life, 1, 0) > 0 && (life.revents & (POLLHUP | POLLERR)) != 0) _exit(130);
  using Clock = std::chrono::steady_clock;
  auto last = std::make_shared<Clock::time_point>(Clock::now());
  return [last](const WorkEvent& event) {
    if (event.kind == WorkEvent::Kind::kProgress) {
      if (Clock::now() - *last < std::chrono::milliseconds(300)) return;
      *last = Clock::now();
    }
    write_line(fmt::format("{} {} {} {} {} {} {}", kWords[static_cast<int>(event.kind)], event.task,
                           event.seconds, event.score, event.done, event.total, event.reason));
  };
}

void report_fatal(const std::string& reason) { write_line("fatal " + reason); }

}  // namespace twofold::eval
