// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_server.h"

#include "database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>

namespace perfcheck::history::testing {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr int kPauses = 1500;  // half a minute; a machine may be busy

/// The user whom the server runs as: it refuses to run as root.
struct User {
  uid_t uid = 0;
  gid_t gid = 0;
};

std::optional<User> unprivileged_user() {
  for (char const* name : {"postgres", "nobody"}) {
    if (passwd const* const entry = ::getpwnam(name)) {
      return User{.uid = entry->pw_uid, .gid = entry->pw_gid};
    }
  }
  return std::nullopt;
}

/// The folder with the newest server's programs; empty when there is none.
fs::path newest_server() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    folders.push_back(entry.path() / "bin");
  }
  std::sort(folders.begin(), folders.end(), [](fs::path const& a, fs::path const& b) {
    return std::atoi(a.parent_path().filename().c_str()) > std::atoi(b.parent_path().filename().c_str());
  });
  std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  for (std::size_t at = 0; at < path.size();) {
    std::size_t const end = std::min(path.find(':', at), path.size());
    folders.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  auto const usable = [](fs::path const& folder) {
    return ::access((folder / "initdb").c_str(), X_OK) == 0 && ::access((folder / "postgres").c_str(), X_OK) == 0;
  };
  auto const found = std::find_if(folders.begin(), folders.end(), usable);
  return found == folders.end() ? fs::path() : *found;
}

/// In the child: executes the program. It dies with the thread that started it, by SIGQUIT, which stops a server at
/// once.
void become(std::vector<std::string> const& argv, std::optional<User> const& user, fs::path const& log, pid_t parent) {
  std::vector<char*> pointers;
  for (std::string const& argument : argv) {
    pointers.push_back(const_cast<char*>(argument.c_str()));  // exec's signature
  }
  pointers.push_back(nullptr);
  if (user && (::setgroups(0, nullptr) != 0 || ::setgid(user->gid) != 0 || ::setuid(user->uid) != 0)) {
    return;
  }
  // Only after the change of user, which clears this setting.
  if (::prctl(PR_SET_PDEATHSIG, SIGQUIT) != 0 || ::getppid() != parent || ::chdir(log.parent_path().c_str()) != 0) {
    return;
  }
  int const out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  int const in = ::open("/dev/null", O_RDONLY);
  if (out < 0 || ::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(out, STDERR_FILENO) < 0) {
    return;
  }
  (void)::setpgid(0, 0);
  (void)::execv(pointers.front(), pointers.data());
}

pid_t start(std::vector<std::string> const& argv, std::optional<User> const& user, fs::path const& log) {
  pid_t const parent = ::getpid();
  pid_t const pid = ::fork();
  if (pid == 0) {
    become(argv, user, log, parent);
    ::_exit(127);
  }
  return pid;
}

std::string text_of(fs::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void run_to_end(std::vector<std::string> const& argv, std::optional<User> const& user, fs::path const& log) {
  int status = 0;
  pid_t const pid = start(argv, user, log);
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || status != 0) {
    throw std::runtime_error(fmt::format("{} failed: {}", argv.front(), text_of(log)));
  }
}

/// Waits for the process to be gone; true when it is.
bool gone(pid_t pid) {
  for (int i = 0; i < kPauses; ++i) {
    (void)::waitpid(pid, nullptr, WNOHANG);  // fails if it is not our child
    if (::kill(pid, 0) != 0) {
      return true;
    }
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

/// The environment may point to a server of the user who runs the tests; that server must not be used.
void forget_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string const text = *entry;
    if (text.starts_with("PG")) {
      names.push_back(text.substr(0, text.find('=')));
    }
  }
  for (std::string const& name : names) {
    ::unsetenv(name.c_str());
  }
  ::setenv("PGPASSFILE", "/nowhere/pgpass", 1);
}

std::string percent_encoded(std::string const& text) {
  std::string encoded;
  for (char const c : text) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "perfcheck-history-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot create " + name);
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

struct PostgresServer::Installation {
  fs::path programs;
  std::optional<User> user;
};

PostgresServer* PostgresServer::shared(std::string& why_not) {
  static std::unique_ptr<PostgresServer> server;
  Installation installation{.programs = newest_server(), .user = std::nullopt};
  if (!PERFCHECK_HAS_POSTGRES) {
    why_not = "perfcheck was built without PostgreSQL (package libpq-dev)";
    return nullptr;
  }
  if (installation.programs.empty()) {
    why_not = "no PostgreSQL server is installed here (package postgresql)";
    return nullptr;
  }
  if (::geteuid() == 0 && !(installation.user = unprivileged_user())) {
    why_not = "a PostgreSQL server does not run as root, and there is no user postgres or nobody";
    return nullptr;
  }
  if (!server) {
    server.reset(new PostgresServer(installation));
  }
  return server.get();
}

PostgresServer::PostgresServer(Installation const& installation) {
  forget_environment();
  fs::path const& folder = folder_.path();
  fs::path const data = folder / "data";
  auto const& user = installation.user;
  if (user && ::chown(folder.c_str(), user->uid, user->gid) != 0) {
    throw std::runtime_error("cannot give " + folder.string() + " to the server's user");
  }
  start_watchdog();
  run_to_end({installation.programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
              "--no-sync"},
             user, folder / "initdb.log");
  std::ofstream(data / "pg_hba.conf")
      << "local all locked scram-sha-256\nlocal all unwelcome reject\nlocal all all trust\n";
  server_ = start({installation.programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c",
                   "shared_buffers=16MB", "-c", "max_connections=40", "-c", "deadlock_timeout=100ms"},
                  user, folder / "server.log");
  if (::write(to_watchdog_, &server_, sizeof server_) != sizeof server_) {
    throw std::runtime_error("the watchdog is gone");
  }
  wait_until_it_answers();
  execute({"CREATE ROLE locked LOGIN PASSWORD 'right'", "CREATE ROLE unwelcome LOGIN", "CREATE ROLE stranger LOGIN"});
}

/// Starts a process that outlives this program just long enough to stop the server and remove its folder, even if this
/// program is killed. It notices the end of this program when a pipe closes.
void PostgresServer::start_watchdog() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make a pipe");
  }
  watchdog_ = ::fork();
  if (watchdog_ != 0) {
    ::close(ends[0]);
    to_watchdog_ = ends[1];
    return;
  }
  ::close(ends[1]);
  (void)::setsid();  // a signal from a terminal or ctest that ends the tests must not end this first
  for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::close(standard);  // whoever reads the tests' output must not wait for us
  }
  pid_t server = -1;
  pid_t next = -1;
  while (::read(ends[0], &next, sizeof next) == sizeof next) {
    server = next;
  }
  if (server > 0 && ::kill(server, SIGQUIT) == 0 && !gone(server)) {
    (void)::kill(server, SIGKILL);
  }
  // More than once: an initdb that was killed as well may still be writing.
  std::error_code ignored;
  for (int i = 0; i < kPauses && fs::exists(folder_.path(), ignored); ++i) {
    fs::remove_all(folder_.path(), ignored);
    std::this_thread::sleep_for(kPause);
  }
  ::_exit(0);
}

void PostgresServer::wait_until_it_answers() {
  for (int i = 0; i < kPauses && ::waitpid(server_, nullptr, WNOHANG) == 0; ++i) {
    try {
      (void)open_postgres(address("postgres"), Mode::read);
      return;
    } catch (HistoryError const&) {
      std::this_thread::sleep_for(kPause);
    }
  }
  throw std::runtime_error("the PostgreSQL server does not start: " + text_of(folder_.path() / "server.log"));
}

PostgresServer::~PostgresServer() {
  (void)::kill(server_, SIGQUIT);
  if (!gone(server_)) {
    (void)::kill(server_, SIGKILL);
  }
  pid_t const none = -1;
  (void)!::write(to_watchdog_, &none, sizeof none);
  ::close(to_watchdog_);
  (void)::waitpid(watchdog_, nullptr, 0);
}

std::string PostgresServer::address(std::string const& database, std::string const& role,
                                    std::string const& more) const {
  return fmt::format("postgresql://{}@/{}?host={}{}{}", role, database, percent_encoded(folder_.path()),
                     more.empty() ? "" : "&", more);
}

std::string PostgresServer::create_database(std::string const& how) {
  std::string name = fmt::format("history{}", ++databases_);
  execute({fmt::format("CREATE DATABASE {} {}", name, how)});
  return name;
}

void PostgresServer::execute(std::vector<std::string> const& statements, std::string const& database) const {
  auto const connection = open_postgres(address(database), Mode::write);
  for (std::string const& statement : statements) {
    connection->run_script(statement);
  }
}

}  // namespace perfcheck::history::testing
