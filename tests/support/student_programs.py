"""Small student programs, one for each language, some with mistakes."""

from __future__ import annotations

PYTHON = """
rows = open('input.txt').read().split()[6:]
free = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == '0']
"""
# Plays the first free point: often suicide or a ko, so that it loses early or late, but always in the same way.
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
