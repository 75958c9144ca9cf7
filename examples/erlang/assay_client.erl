%% A client of `mcp-assay validate --serve-json`: one question a line, one answer a line, over a port.
%%
%% Run it with `escript examples/erlang/assay_client.erl` (Erlang/OTP 27 or later, which has the
%% module json); the environment variable MCP_ASSAY names the program if it is not on the path.
-module(assay_client).
-export([main/1, start/1, ask/3, stop/1]).

%% Starts the program; the port belongs to the calling process.
start(Flags) ->
    Name = os:getenv("MCP_ASSAY", "mcp-assay"),
    Program = case filename:pathtype(Name) of
        absolute -> Name;
        _ -> os:find_executable(Name)
    end,
    open_port({spawn_executable, Program},
              [{args, ["validate", "--serve-json" | Flags]}, {line, 65536}, binary, exit_status]).

%% The result of a command; its members are those of docs/serve-json.md.
ask(Port, Command, Members) ->
    Id = erlang:unique_integer([positive]),
    Question = json:encode(Members#{id => Id, command => Command}),
    true = port_command(Port, [Question, $\n]),
    case json:decode(line(Port, [])) of
        #{<<"id">> := Id, <<"ok">> := true, <<"result">> := Result} -> {ok, Result};
        #{<<"id">> := Id, <<"error">> := #{<<"message">> := Message}} -> {error, Message}
    end.

%% A line comes in pieces if it is longer than the buffer of the port.
line(Port, Pieces) ->
    receive
        {Port, {data, {noeol, Piece}}} -> line(Port, [Piece | Pieces]);
        {Port, {data, {eol, Piece}}} -> iolist_to_binary(lists:reverse([Piece | Pieces]));
        {Port, {exit_status, Status}} -> error({ended, Status})
    end.

%% Ends the program.
stop(Port) ->
    port_close(Port).

main(_) ->
    Port = start([]),
    {ok, #{<<"text">> := Text}} = ask(Port, validate_request, #{method => <<"tools/cal">>}),
    io:format("request: ~ts~n", [Text]),

    Call = #{name => <<"add">>, arguments => #{a => 1}},
    {ok, #{<<"valid">> := true}} = ask(Port, validate_tool_call, Call),
    io:format("tool call: valid~n"),

    {ok, #{<<"session">> := Session}} = ask(Port, open, #{revision => <<"2025-06-18">>}),
    Message = #{jsonrpc => <<"2.0">>, id => 1, method => <<"tools/call">>, params => #{}},
    {ok, #{<<"verdict">> := Verdict, <<"violations">> := [#{<<"rule">> := Rule} | _]}} =
        ask(Port, check, #{session => Session, message => Message, direction => <<"c2s">>}),
    io:format("session: ~ts ~ts~n", [Verdict, Rule]),
    {ok, _} = ask(Port, 'end', #{session => Session}),

    {error, Bad} = ask(Port, validate_requst, #{method => <<"ping">>}),
    io:format("bad question: ~ts~n", [Bad]),
    stop(Port).
