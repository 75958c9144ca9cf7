/* Starts a command in a console of its own, and types Ctrl-C there when a file exists:
 *
 *     interrupt READY RESULT COMMAND...
 *
 * RESULT gets the exit code of the command, in all of its 32 bits. */

#include <stdio.h>
#include <windows.h>

static const wchar_t *after(const wchar_t *line, int words)
{
    /* No word of ours has quotes inside. */
    while (words-- > 0) {
        int quoted = 0;
        for (; *line && (quoted || *line != L' '); line++)
            quoted ^= *line == L'"';
        while (*line == L' ')
            line++;
    }
    return line;
}

int wmain(int count, wchar_t **words)
{
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION process;
    wchar_t line[8192];
    DWORD code;
    FILE *result;

    if (count < 4)
        return 2;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    FreeConsole();
    if (!AllocConsole())
        return 3;
    wcsncpy(line, after(GetCommandLineW(), 3), 8191);
    line[8191] = 0;
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process))
        return 4;
    /* From now on we ourselves ignore it. */
    SetConsoleCtrlHandler(NULL, TRUE);
    while (GetFileAttributesW(words[1]) == INVALID_FILE_ATTRIBUTES)
        if (WaitForSingleObject(process.hProcess, 10) == WAIT_OBJECT_0)
            break;
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0))
        return 5;
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    result = _wfopen(words[2], L"w");
    if (!result)
        return 6;
    fprintf(result, "%lu\n", code);
    return fclose(result) ? 7 : 0;
}
