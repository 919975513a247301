"""Small student programs in all languages of the course, some of them with mistakes."""

from __future__ import annotations

PYTHON = """
rows = open('input.txt').read().split()[6:]
free = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == '0']
"""
# This program plays the first free point, which is often suicide or a ko, so it loses early or late, but always in the
# same way.
FIRST_FREE = PYTHON + "open('output.txt', 'w').write('%d,%d' % free[0] if free else 'PASS')\n"
PASSES = "open('output.txt', 'w').write('PASS')\n"
RUBBISH = "open('output.txt', 'wb').write(bytes(range(256)))\n"
BROKEN = "import nothing_of_this_name\n"
UNTIDY = "open('notes.dat', 'a').write('here ')\n" + PASSES
SLOW = "import time\nwhile time.process_time() < 0.12: pass\n" + PASSES
LOOSE = "open('output.txt', 'w').write(' PASS, really')\n"

CPP = """
#include <fstream>
#include <string>
int main() {
    std::ifstream in("input.txt");
    std::string line;
    for (int i = 0; i < 6; i++) in >> line;
    for (int i = 0; i < 5; i++) {
        in >> line;
        for (int j = 0; j < 5; j++)
            if (line[j] == '0') { std::ofstream("output.txt") << i << "," << j; return 0; }
    }
    std::ofstream("output.txt") << "PASS";
}
"""
CPP11 = CPP.replace("int main() {", "int main() { auto newer = [] { return nullptr; }; newer();")
JAVA = """
import java.nio.file.*;
import java.util.*;
public class my_player {
    public static void main(String[] words) throws Exception {
        List<String> rows = Files.readAllLines(Paths.get("input.txt")).subList(6, 11);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                if (rows.get(i).charAt(j) == '0') { Helper.write(i + "," + j); return; }
        Helper.write("PASS");
    }
}
class Helper {
    static void write(String text) throws Exception { Files.write(Paths.get("output.txt"), text.getBytes()); }
}
"""
PYTHON2 = FIRST_FREE + "print 'only Python 2 reads this line'\n"


# A typical student program, which plays the first free point that is not suicide.
BODY = """
import os, sys
def read():
    with open('input.txt') as file:
        lines = [line.strip() for line in file]
    return int(lines[0]), lines[1:6], lines[6:11]
def liberties(board, i, j, piece, seen):
    seen.add((i, j))
    for a, b in ((i+1, j), (i-1, j), (i, j+1), (i, j-1)):
        if 0 <= a < 5 and 0 <= b < 5:
            if board[a][b] == '0' and (a, b) not in seen:
                return True
            if board[a][b] == piece and (a, b) not in seen and liberties(board, a, b, piece, seen):
                return True
    return False
def choose():
    piece, before, board = read()
    for i in range(5):
        for j in range(5):
            if board[i][j] == '0' and before[i][j] == '0' and liberties(board, i, j, str(piece), set()):
                return '%d,%d' % (i, j)
    return 'PASS'
def write(move):
    with open('output.txt', 'w') as file:
        file.write(move)
"""
MAIN = BODY + "write(choose())\n"
CPP_READ = CPP.replace("int main() {", "std::string choose() {").replace(
    'std::ofstream("output.txt") << i << "," << j; return 0;', 'return std::to_string(i) + "," + std::to_string(j);'
)
CPP_READ = CPP_READ.replace('std::ofstream("output.txt") << "PASS";', 'return "PASS";')
WRITE_CPP = '#include <fstream>\n#include "{}"\nint main() {{ std::ofstream("output.txt") << choose(); }}\n'
HEADER = "#pragma once\n#include <string>\nstd::string choose();\n"
JAVA_MOVE = """
import java.nio.file.*;
import java.util.*;
public class Move {
    public static String choose() throws Exception {
        List<String> rows = Files.readAllLines(Paths.get("input.txt")).subList(6, 11);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                if (rows.get(i).charAt(j) == '0') return i + "," + j;
        return "PASS";
    }
}
"""
JAVA_MAIN = """
import java.io.*;
{}
public class my_player {{
    public static void main(String[] words) throws Exception {{
        try (FileWriter out = new FileWriter("output.txt")) {{ out.write(Move.choose()); }}
    }}
}}
"""
PICKLED = "(dp0\nVkomi\np1\nF2.5\ns."  # pickle protocol 0, which every Python reads

Folder = dict[str, "str | bytes"]  # name in the folder, possibly a path -> content

# Folders as students submit them. The program in each folder plays the first free point.
MANNERS: dict[str, Folder] = {
    "plain": {"my_player3.py": MAIN},
    "numpy": {"my_player3.py": "import numpy as np\n" + MAIN + "assert np.zeros((5, 5)).sum() == 0\n"},
    "numpy if there": {"my_player3.py": "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n" + MAIN},
    "helper module": {"my_player3.py": "from helper import *\nwrite(choose())\n", "helper.py": BODY},
    "helper package": {
        "my_player3.py": "from game.board import choose, write\nwrite(choose())\n",
        "game/__init__.py": "",
        "game/board.py": BODY,
    },
    "relative imports": {
        "my_player3.py": "import game\n",
        "game/__init__.py": "from . import turn\n",
        "game/turn.py": "from .board import choose, write\nwrite(choose())\n",
        "game/board.py": BODY,
    },
    "pickle": {
        "my_player3.py": MAIN + "import pickle\nassert pickle.load(open('q.pkl', 'rb'))['komi'] == 2.5\n",
        "q.pkl": PICKLED,
    },
    "json": {
        "my_player3.py": MAIN + "import json\nassert json.load(open('data/q.json'))['komi'] == 2.5\n",
        "data/q.json": '{"komi": 2.5}',
    },
    "csv": {"my_player3.py": MAIN + "assert open('w.csv').read() == '1,2'\n", "w.csv": "1,2"},
    "state between turns": {
        "my_player3.py": BODY
        + "import json\nstate = json.load(open('s.json')) if os.path.exists('s.json') else {'step': 0}\n"
        + "state['step'] += 1\njson.dump(state, open('s.json', 'w'))\nwrite(choose())\n"
    },
    "log in a folder": {"my_player3.py": MAIN + "open('logs/log.txt', 'a').write('turn ')\n", "logs/": ""},
    "stale files": {"my_player3.py": MAIN, "input.txt": "2\n00000\n", "output.txt": "4,4", "step.txt": "7"},
    "prints": {"my_player3.py": "for k in range(3000): print('thinking', k)\n" + MAIN + "print(choose())\n"},
    "prints errors": {"my_player3.py": "import sys\nsys.stderr.write('debug\\n' * 5000)\n" + MAIN},
    "main guard": {"my_player3.py": BODY + "if __name__ == '__main__':\n    write(choose())\n"},
    "class": {
        "my_player3.py": BODY + "class Player:\n    def __init__(self):\n        self.type = 'mine'\n"
        "    def go(self):\n        write(choose())\nif __name__ == '__main__':\n    Player().go()\n"
    },
    "exit": {"my_player3.py": MAIN + "exit(0)\n"},
    "quit": {"my_player3.py": MAIN + "quit()\n"},
    "chdir to itself": {"my_player3.py": "import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n" + MAIN},
    "chdir by __file__": {"my_player3.py": "import os\nos.chdir(os.path.dirname(__file__))\n" + MAIN},
    "relative path": {"my_player3.py": MAIN.replace("'input.txt'", "'./input.txt'").replace("'out", "'./out")},
    "sys.path": {
        "my_player3.py": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'lib'))\n"
        "from inner import *\nwrite(choose())\n",
        "lib/inner.py": BODY,
    },
    "CRLF": {"my_player3.py": MAIN.replace("\n", "\r\n")},
    "BOM": {"my_player3.py": b"\xef\xbb\xbf" + MAIN.encode()},
    "tabs": {"my_player3.py": MAIN.replace("    ", "\t")},
    "Latin-1": {"my_player3.py": "# -*- coding: latin-1 -*-\n# J\xf6rg\n".encode("latin-1") + MAIN.encode()},
    "threads": {
        "my_player3.py": BODY + "import threading\nt = threading.Thread(target=lambda: write(choose()))\n"
        "t.start()\nt.join()\n"
    },
    "processes": {
        "my_player3.py": BODY + "from multiprocessing import Pool\ndef one(k):\n    return k\n"
        "if __name__ == '__main__':\n    with Pool(2) as pool:\n        pool.map(one, range(4))\n    write(choose())\n"
    },
    "Python 2": {"my_player.py": MAIN + "print 'done'\n"},
    "both Pythons": {"my_player.py": MAIN + "print('done')\n"},
    "training script": {"my_player3.py": MAIN, "train.py": "import tensorflow, matplotlib\nthis is not python\n"},
    "C++": {"my_player.cpp": CPP},
    "C++ files": {"my_player11.cpp": WRITE_CPP.format("move.h"), "move.cpp": CPP_READ, "move.h": HEADER},
    "C++ in folders": {
        "my_player.cpp": WRITE_CPP.format("src/move.hpp"),
        "src/move.hpp": CPP_READ.replace("std::string choose()", "inline std::string choose()"),
    },
    "C++ includes": {"my_player.cpp": WRITE_CPP.format("move.cpp"), "move.cpp": CPP_READ},
    "C++ tests": {"my_player.cpp": CPP, "try.cpp": "int main() { return 0; }\n"},
    "C++ CRLF": {"my_player.cpp": CPP.replace("\n", "\r\n")},
    "Java": {"my_player.java": JAVA},
    "Java files": {"my_player.java": JAVA_MAIN.format(""), "Move.java": JAVA_MOVE},
    "Java file of classes": {
        "my_player.java": JAVA_MAIN.format(""),
        "Helpers.java": JAVA_MOVE.replace("public class Move", "class Move"),
    },
    "Java packages": {
        "my_player.java": JAVA_MAIN.format("import game.Move;"),
        "game/Move.java": "package game;" + JAVA_MOVE,
    },
    "Java in a package": {
        "my_player.java": "package mine;" + JAVA_MAIN.format(""),
        "Move.java": "package mine;" + JAVA_MOVE,
    },
    "Java names": {"my_player.java": JAVA.replace('Helper.write("PASS")', '/* J\xf6rg */ Helper.write("PASS")')},
}


def write_folder(path, files: Folder) -> None:
    """Write a folder of files; a name that ends with a slash is an empty folder."""
    path.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if name.endswith("/"):
            (path / name).mkdir(parents=True)
            continue
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
