// The demo's agent whose terminal is watched: a script in the demo's repository that needs nothing but sh. It draws its
// progress, writes and commits files, listens to keys, and asks a question once.

/** Not String.raw: the build escapes what is not ASCII, and in a raw string it could not. */
export const TRANSLATOR = `#!/bin/sh
# Greets in many languages, one file each. Draws what it does; listens to keys.

languages='de|Deutsch     |Hallo
fr|Français    |Bonjour
es|Español     |Hola
it|Italiano    |Ciao
pl|Polski      |Cześć
el|Ελληνικά    |Γειά σου
ru|Русский     |Привет
tr|Türkçe      |Merhaba
ja|日本語      |こんにちは
zh|中文        |你好
ko|한국어      |안녕하세요
sw|Kiswahili   |Jambo'
total=12 at_once=3 asks_after=5

status=.agency/state/runner_status.json
esc=$(printf '\\033')
done_count=0 asked=no paused=no faster=no manner=casual seed=7 ticks=0 report=starting

# What the terminal has no room for is left out: first the blank lines, then languages.
size() {
  rows=$(stty size | cut -d ' ' -f 1)
  columns=$(stty size | cut -d ' ' -f 2)
  air=0
  [ "$rows" -ge $((total + 5)) ] && air=1
  fits=$((rows - 2))
  width=$((columns - 37))
  [ "$width" -gt 44 ] && width=44
  [ "$width" -lt 8 ] && width=8
  printf '\\033[2J'
  draw_all
}

leave() {
  stty sane
  printf '\\033[?25h\\033[0m\\n'
  exit "$1"
}

say_status() {
  [ "$report" = "$1" ] && return
  report=$1
  mkdir -p .agency/state
  printf '{"status":"%s"}\\n' "$1" > "$status"
}

# bar ROW CELLS: from blue to green to yellow, as far as it is.
bar() {
  cells='' cell=0
  while [ "$cell" -lt "$2" ]; do
    at=$((cell * 200 / width))
    cells="$cells$esc[38;2;$((60 + at));$((140 + at / 2));$((240 - at))m━"
    cell=$((cell + 1))
  done
  cells="$cells$esc[0;2m"
  while [ "$cell" -lt "$width" ]; do
    cells="$cells─" cell=$((cell + 1))
  done
  printf '%s\\033[0m' "$cells"
}

# draw_row N: one language.
draw_row() {
  [ "$1" -gt "$fits" ] && return
  row=$(printf '%s\\n' "$languages" | sed -n "$1p")
  name=$(printf '%s' "$row" | cut -d '|' -f 2)
  greeting=$(printf '%s' "$row" | cut -d '|' -f 3)
  eval "progress=\\$progress_$1"
  printf '\\033[%d;2H' $(($1 + 1 + air * 2))
  if [ "$progress" -ge 100 ]; then printf '\\033[32m✓\\033[0m %s ' "$name"
  elif [ "$progress" -gt 0 ]; then printf '\\033[36m▸\\033[0m \\033[1m%s\\033[0m ' "$name"
  else printf '\\033[2m· %s\\033[0m ' "$name"
  fi
  bar "$1" $((progress * width / 100))
  printf ' %3d%%' "$progress"
  [ "$progress" -ge 100 ] && printf ' \\033[1m%s\\033[0m' "$greeting"
  printf '\\033[K'
}

draw_head() {
  printf '\\033[%d;2H' $((1 + air))
  printf '\\033[1;35mTranslating the greeting\\033[0m \\033[2m%d of %d languages\\033[0m\\033[K' "$done_count" "$total"
}

draw_foot() {
  printf '\\033[%d;2H' $((total + 2 + air * 3))
  if [ "$report" = needs_input ]; then
    printf '\\033[33m?\\033[0m \\033[1mGreet formally or casually?\\033[0m \\033[7m f \\033[0m \\033[7m c \\033[0m\\033[K'
  elif [ "$paused" = yes ]; then printf '\\033[2mpaused · space goes on\\033[0m\\033[K'
  else printf '\\033[2mspace pauses · + goes faster · Ctrl-C ends\\033[0m\\033[K'
  fi
}

draw_all() {
  draw_head
  n=1
  while [ "$n" -le "$total" ]; do draw_row "$n"; n=$((n + 1)); done
  draw_foot
}

finish() {
  row=$(printf '%s\\n' "$languages" | sed -n "$1p")
  code=$(printf '%s' "$row" | cut -d '|' -f 1)
  mkdir -p greetings
  printf '%s\\n' "$row" | cut -d '|' -f 3 > "greetings/$code.txt"
  done_count=$((done_count + 1))
  if [ $((done_count % 3)) -eq 0 ]; then
    git add greetings
    git commit -q -m "Greet in $done_count languages" > /dev/null
  fi
  draw_head
}

# Each tick moves some of those that are under way.
advance() {
  n=1 under_way=0
  while [ "$n" -le "$total" ] && [ "$under_way" -lt "$at_once" ]; do
    eval "progress=\\$progress_$n"
    if [ "$progress" -lt 100 ]; then
      under_way=$((under_way + 1))
      seed=$(((seed * 1103 + 12345) % 32768))
      if [ $((seed % 3)) -ne 0 ]; then
        progress=$((progress + 1 + seed / 8 % 5))
        [ "$progress" -gt 100 ] && progress=100
        eval "progress_$n=$progress"
        [ "$progress" -eq 100 ] && finish "$n"
        draw_row "$n"
      fi
    fi
    n=$((n + 1))
  done
}

ask() {
  asked=yes
  say_status needs_input
  draw_foot
  printf '\\a'
}

answer() {
  manner=$1
  printf '%s\\n' "$manner" > greetings/MANNER
  say_status working
  draw_foot
}

# What was pressed within a fifth of a second; nothing is an answer too.
listen() {
  if [ "$faster" = yes ]; then stty min 0 time 0; else stty min 0 time 2; fi
  pressed=$(dd bs=1 count=1 2> /dev/null)
  case $report:$pressed in
    needs_input:f) answer formal ;;
    needs_input:c) answer casual ;;
    working:' ')
      if [ "$paused" = yes ]; then paused=no; else paused=yes; fi
      draw_foot
      ;;
    working:+) faster=yes ;;
  esac
}

n=1
while [ "$n" -le "$total" ]; do eval "progress_$n=0"; n=$((n + 1)); done
trap 'leave 130' INT TERM HUP
trap size WINCH
stty -echo -icanon
printf '\\033]2;translating\\007\\033[?25l'
say_status working
size
while [ "$done_count" -lt "$total" ]; do
  listen
  if [ "$report" = working ] && [ "$paused" = no ]; then advance; fi
  if [ "$asked" = no ] && [ "$done_count" -ge "$asks_after" ]; then ask; fi
done
git add greetings
git commit -q -m 'Say in which manner' > /dev/null
rm -f "$status"
printf '\\033[%d;1H\\033[J\\033[32mDone and committed.\\033[0m This is your shell now.' $((total + 3 + air * 3))
leave 0
`
