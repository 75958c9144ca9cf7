// A client of `mcp-assay validate --serve-json`: one question a line, one answer a line.
//
// Run it with `go run examples/go/assay_client.go`; the environment variable MCP_ASSAY names the
// program if it is not on the path. Needs nothing but the standard library.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Assay is the program, and the questions that it answers.
type Assay struct {
	process *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
	last    int
}

// Start runs the program.
func Start(flags ...string) (*Assay, error) {
	program := os.Getenv("MCP_ASSAY")
	if program == "" {
		program = "mcp-assay"
	}
	process := exec.Command(program, append([]string{"validate", "--serve-json"}, flags...)...)
	process.Stderr = os.Stderr
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	return &Assay{process: process, input: input, output: bufio.NewReader(output)}, nil
}

type answer struct {
	ID     int             `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Ask writes a question and reads its answer into result; the members are those of
// docs/serve-json.md.
func (assay *Assay) Ask(command string, members map[string]any, result any) error {
	assay.last++
	question := map[string]any{"id": assay.last, "command": command}
	for name, value := range members {
		question[name] = value
	}
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := assay.input.Write(append(line, '\n')); err != nil {
		return err
	}
	line, err = assay.output.ReadBytes('\n')
	if err != nil {
		return err
	}
	var found answer
	if err := json.Unmarshal(line, &found); err != nil {
		return err
	}
	if found.ID != assay.last {
		return fmt.Errorf("answer %d to question %d", found.ID, assay.last)
	}
	if !found.OK {
		return errors.New(found.Error.Message)
	}
	return json.Unmarshal(found.Result, result)
}

// Close ends the program.
func (assay *Assay) Close() error {
	if err := assay.input.Close(); err != nil {
		return err
	}
	return assay.process.Wait()
}

// Found is the result of a check.
type Found struct {
	Valid bool   `json:"valid"`
	Text  string `json:"text"`
}

func run() error {
	assay, err := Start()
	if err != nil {
		return err
	}
	defer assay.Close()

	var found Found
	if err := assay.Ask("validate_request", map[string]any{"method": "tools/cal"}, &found); err != nil {
		return err
	}
	fmt.Println("request:", found.Text)

	found = Found{}
	call := map[string]any{"name": "add", "arguments": map[string]any{"a": 1}}
	if err := assay.Ask("validate_tool_call", call, &found); err != nil {
		return err
	}
	if found.Valid {
		found.Text = "valid"
	}
	fmt.Println("tool call:", found.Text)

	var opened struct {
		Session int `json:"session"`
	}
	if err := assay.Ask("open", map[string]any{"revision": "2025-06-18"}, &opened); err != nil {
		return err
	}
	var row struct {
		Verdict    string `json:"verdict"`
		Violations []struct {
			Rule string `json:"rule"`
		} `json:"violations"`
	}
	message := json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
	members := map[string]any{"session": opened.Session, "message": message, "direction": "c2s"}
	if err := assay.Ask("check", members, &row); err != nil {
		return err
	}
	fmt.Println("session:", row.Verdict, row.Violations[0].Rule)
	var ended map[string]any
	if err := assay.Ask("end", map[string]any{"session": opened.Session}, &ended); err != nil {
		return err
	}

	bad := assay.Ask("validate_requst", map[string]any{"method": "ping"}, &found)
	fmt.Println("bad question:", bad)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
