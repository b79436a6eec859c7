// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace iotadnn::benchdnn {

// Finds the files that --case and --batch name: as given (relative to the current folder), then in
// folders where files of this run were found, latest first, then in <program's
// folder>/inputs/graph, then in the sources' benchdnn_inputs/graph.
class InputFiles {
 public:
  explicit InputFiles(const std::string& program_folder);

  // The path to open, or "" when there is no such file. Remembers the folder that answered, that is
  // the path less `name`, and the folder that holds the file.
  std::string locate(const std::string& name);

 private:
  std::vector<std::string> used_;  // latest last
  std::vector<std::string> standard_;
};

// The arguments in the text of a batch file: white space separates them, # starts a comment up to
// the end of the line, and a trailing \ joins an argument with the next one.
std::vector<std::string> batch_arguments(const std::string& text);

// The whole file; FileError when it cannot be read.
std::string read_text_file(const std::string& path);

}  // namespace iotadnn::benchdnn
