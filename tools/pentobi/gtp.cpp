// Lets a Pentobi without a window speak GTP, so that it can sit at a table of `plywood lab match`.
//
// Distributions package Pentobi as a program with a window only. This is loaded into it
// (LD_PRELOAD, see pentobi-gtp beside this file) and drives it from its standard input by what
// its window offers: opening a record, asking for a move, saving the record.

#include <QtCore>
#include <QtGui>
#include <QtQml>

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

namespace {

struct Move {
    QString colour;
    QString cells;
};

QObject *window = nullptr;
QList<Move> moves;
// What came in and is still to be done, and what stands for the end of it: no line is like it.
QStringList waiting;
const QString end_of_input = "\n";
bool thinking = false;
bool duo = false;
QString level;
QString scratch;
int moves_wanted = 0;
// Checks after the search has ended until the move is on the board.
int checks_left = 0;
double cpu_before = 0.0;
double cpu_of_searches = 0.0;

double cpu_seconds() {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    auto seconds = [](const timeval &time) { return time.tv_sec + time.tv_usec * 1e-6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The value of an expression in the language of the window.
QString value(const QString &text) {
    QQmlExpression expression(qmlContext(window), window, text);
    bool undefined = false;
    const QVariant result = expression.evaluate(&undefined);
    if (expression.hasError())
        fprintf(stderr, "%s: %s\n", qPrintable(text), qPrintable(expression.error().toString()));
    return undefined ? QString() : result.toString();
}

void answer(const QString &text, bool done = true) {
    printf("%c %s\n\n", done ? '=' : '?', qPrintable(text));
    fflush(stdout);
}

bool find_window() {
    for (QWindow *candidate : QGuiApplication::allWindows()) {
        if (window || !qmlEngine(candidate) || !qmlContext(candidate))
            continue;
        window = candidate;
        value("rootWindow.hide()");
        for (int colour = 0; colour < 4; ++colour)
            value(QString("rootWindow.computerPlays%1 = false").arg(colour));
    }
    return window != nullptr;
}

void command(const QString &line);

// Does what was asked for so far, in order: as soon as there is a window, and no longer than
// until it thinks.
void go_on() {
    if (!waiting.isEmpty() && !find_window()) {
        QTimer::singleShot(20, go_on);
        return;
    }
    while (!thinking && !waiting.isEmpty())
        command(waiting.takeFirst());
}

void finish(const QString &text, bool done) {
    thinking = false;
    answer(text, done);
    go_on();
}

void look_for_move() {
    const bool running = value("playerModel.isGenMoveRunning") == "true";
    const bool played = value("gameModel.moveNumber").toInt() == moves_wanted;
    if (running || (!played && --checks_left > 0)) {
        QTimer::singleShot(1, look_for_move);
        return;
    }
    cpu_of_searches += cpu_seconds() - cpu_before;
    value(QString("gameModel.save(\"%1\")").arg(scratch));
    QFile file(scratch);
    if (!played || !file.open(QIODevice::ReadOnly)) {
        finish("there came no move", false);
        return;
    }
    const QString text = QString::fromUtf8(file.readAll());
    static const QRegularExpression node("[;\\n]\\s*[1-4BW]\\[([a-t0-9,]+)\\]");
    auto found = node.globalMatch(text);
    while (found.hasNext())
        moves.last().cells = found.next().captured(1);
    finish(moves.last().cells, true);
}

void generate(const QString &colour) {
    QFile file(scratch);
    if (!file.open(QIODevice::WriteOnly)) {
        answer("no place for a record", false);
        return;
    }
    file.write(duo ? "(;GM[Blokus Duo]" : "(;GM[Blokus]");
    for (const Move &move : moves) {
        const QString property = duo ? QString(move.colour == "b" ? "B" : "W") : move.colour;
        file.write(QString(";%1[%2]").arg(property, move.cells).toUtf8());
    }
    file.write(")\n");
    file.close();
    value(QString("gameModel.openFile(\"%1\")").arg(scratch));
    value("gameModel.goEnd()");
    const int wanted = duo ? (colour == "b" ? 0 : 1) : colour.toInt() - 1;
    for (int tries = 0; tries < 4 && value("gameModel.toPlay").toInt() != wanted; ++tries)
        value("gameModel.nextColor()");
    moves_wanted = value("gameModel.moveNumber").toInt() + 1;
    moves.append({colour, QString()});
    thinking = true;
    checks_left = 3000;
    cpu_before = cpu_seconds();
    // Every game has a level of its own.
    value("playerModel.level = " + level);
    value("rootWindow.isPlaySingleMoveRunning = true");
    value("playerModel.startGenMove(gameModel)");
    look_for_move();
}

void command(const QString &line) {
    const QStringList words = line.split(' ', Qt::SkipEmptyParts);
    const QString name = words.value(0);
    static const QStringList known{"name", "version", "protocol_version", "known_command",
                                   "list_commands", "set_game", "clear_board", "play",
                                   "genmove", "cputime", "quit"};
    if (name.isEmpty())
        return;
    if (name == "name")
        answer("Pentobi");
    else if (name == "version")
        answer(QCoreApplication::applicationVersion());
    else if (name == "protocol_version")
        answer("2");
    else if (name == "known_command")
        answer(known.contains(words.value(1)) ? "true" : "false");
    else if (name == "list_commands")
        answer(known.join('\n'));
    else if (name == "set_game") {
        duo = line.contains("Duo");
        moves.clear();
        value(QString("gameModel.changeGameVariant(\"%1\")").arg(duo ? "duo" : "classic"));
        answer("");
    } else if (name == "clear_board") {
        moves.clear();
        answer("");
    } else if (name == "play") {
        moves.append({words.value(1), words.value(2)});
        answer("");
    } else if (name == "genmove")
        generate(words.value(1));
    else if (name == "cputime")
        answer(QString::number(cpu_of_searches, 'f', 3));
    else if (name == "quit" || line == end_of_input) {
        if (name == "quit")
            answer("");
        QFile::remove(scratch);
        _exit(0);
    } else
        answer("unknown command", false);
}

void begin() {
    level = qEnvironmentVariable("PENTOBI_LEVEL", "1");
    scratch = QDir::temp().filePath(QString("pentobi-%1.blksgf").arg(getpid()));
    std::thread([] {
        auto ask = [](const QString &text) {
            auto later = [text] {
                waiting.append(text);
                go_on();
            };
            QMetaObject::invokeMethod(qApp, later, Qt::QueuedConnection);
        };
        std::string line;
        while (std::getline(std::cin, line))
            ask(QString::fromStdString(line));
        ask(end_of_input);
    }).detach();
}

Q_COREAPP_STARTUP_FUNCTION(begin)

} // namespace
