"""Course systems' own lists of a class, as they write them, are rosters."""

import pytest

from gojudge.errors import BadRosterError
from gojudge.intake.rosters import read_roster, roster_notices
from tests.support.exports import ROSTERS, parse_roster

# Each with the name of whoever stands in it, and what else is known of them.
LISTS = {
    "canvas": (
        'Student,ID,SIS User ID,SIS Login ID,Section,Assignment 1 (987654)\n,,,,,Manual Posting\n"    Points Possible",,,,,10\n'
        '"Núñez Pérez, José",70001,S1,jnunez,"CS 561, 01",9\n"Student, Test",1,,t,x,\n',
        {"id": "70001", "sis user id": "S1", "sis login id": "jnunez", "section": "CS 561, 01"}, "José Núñez Pérez",
    ),
    "gradescope": (
        "First Name,Last Name,SID,Email,Role,Sections\nJosé,Núñez Pérez,S1,j@x.org,Student,A\nPat,Lee,,p@x.org,TA,\n",
        {"sid": "S1", "email": "j@x.org", "section": "A"}, "José Núñez Pérez",
    ),
    "gradescope, without numbers": (
        "Name,Email,Role\nJosé Núñez Pérez,j@x.org,Student\nPat Lee,p@x.org,Instructor\n", {"email": "j@x.org"},
        "José Núñez Pérez",
    ),
    "gradescope, scores": (
        "Name,SID,Email,Total Score,Max Points,Status,Submission ID,Submission Time,Lateness (H:M:S)\n"
        "José Núñez Pérez,S1,j@x.org,8.0,12.0,Graded,128746829,2026-06-25 13:16:26 -0600,00:00:00\n",
        {"sid": "S1", "email": "j@x.org", "submitted": "2026-06-25 13:16:26 -0600"}, "José Núñez Pérez",
    ),
    "github": (
        '"identifier","github_username","github_id","name"\n"S1","jnunez","17","José Núñez Pérez"\n',
        {"identifier": "S1", "github_username": "jnunez"}, "José Núñez Pérez",
    ),
    "github, grades": (
        "assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,student_repository_name,"
        "student_repository_url,submission_timestamp,points_awarded,points_available\n"
        "hw2,u,u,jnunez,S1,hw2-jnunez,u,2026-04-12 21:34:12 UTC,0,100\n",
        {"identifier": "S1", "github_username": "jnunez", "submitted": "2026-04-12 21:34:12Z"}, "",
    ),
    "autolab, scores": (
        "Submission Time,Email,Total,go,First name,Last name,Section,Lecture\n"
        "2026-10-01 20:00:00 -0400,j@x.org,9.0,9.0,José,Núñez Pérez,A,1\n",
        {"email": "j@x.org", "section": "A", "lecture": "1", "submitted": "2026-10-01 20:00:00 -0400"}, "José Núñez Pérez",
    ),
    "prairielearn": (
        "UID,UIN,Username,Name,Role,Assessment,Submission date\n"
        "j@x.org,S1,j,José Núñez Pérez,Student,HW2,2026-10-01T20:00:00-05:00\np@x.org,S2,p,Pat Lee,Staff,HW2,\n",
        {"email": "j@x.org", "sid": "S1", "username": "j", "submitted": "2026-10-01T20:00:00-05:00"}, "José Núñez Pérez",
    ),
    "nbgrader": (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score\n"
        "hw2,,2026-10-01 20:00:00,jnunez,Núñez Pérez,José,j@x.org,0.0,0.0,0.0,9.0\n",
        {"email": "j@x.org", "username": "jnunez"}, "José Núñez Pérez",
    ),
    "moodle, English": (
        '"First name","Last name","ID number","Email address",Roles,Groups,"Last access to course",Status\n'
        '"José","Núñez Pérez",S1,j@x.org,Student,"A, B","2 days",Active\nPat,Lee,,p@x.org,Teacher,,now,Active\n',
        {"id number": "S1", "email": "j@x.org", "groups": "A, B"}, "José Núñez Pérez",
    ),
    "moodle, German": (
        "Vorname;Nachname;Matrikelnummer;E-Mail-Adresse;Gruppen\nJosé;Núñez Pérez;S1;j@x.org;A\n",
        {"id number": "S1", "email": "j@x.org", "groups": "A"}, "José Núñez Pérez",
    ),
    "moodle, French": (
        "Prénom,Nom,Adresse de courriel,Groupes\nJosé,Núñez Pérez,j@x.org,A\n", {"email": "j@x.org", "groups": "A"},
        "José Núñez Pérez",
    ),
    "moodle, Spanish": (
        "Nombre,Apellido(s),Número de ID,Dirección de correo,Grupos\nJosé,Núñez Pérez,S1,j@x.org,A\n",
        {"id number": "S1", "email": "j@x.org", "groups": "A"}, "José Núñez Pérez",
    ),
    "moodle, Catalan": ("Nom,Cognoms,Adreça electrònica\nJosé,Núñez Pérez,j@x.org\n", {"email": "j@x.org"}, "José Núñez Pérez"),
    "moodle, Italian": ("Nome,Cognome,Indirizzo email\nJosé,Núñez Pérez,j@x.org\n", {"email": "j@x.org"}, "José Núñez Pérez"),
    "moodle, in one column": (
        "Vorname / Nachname;E-Mail-Adresse\nJosé Núñez Pérez;j@x.org\n", {"email": "j@x.org"}, "José Núñez Pérez",
    ),
    "moodle, Ukrainian": (
        "Ім'я,Прізвище,Індивідуальний номер,Електронна пошта,Групи\nІван,Петренко,S1,j@x.org,A\n",
        {"id number": "S1", "email": "j@x.org", "groups": "A"}, "Іван Петренко",
    ),
    "moodle, Chinese": ("名,姓,学号,电子邮件地址\n小明,王,S1,w@x.org\n", {"id number": "S1", "email": "w@x.org"}, "小明 王"),
    "moodle, worksheet": (
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission)\n"
        'Participant 123,José Núñez Pérez,j@x.org,Submitted,-,100.00,Yes,"Friday, 2 October 2026, 9:05 AM"\n',
        {"participant": "123", "email": "j@x.org", "submitted": "2026-10-02 09:05:00"}, "José Núñez Pérez",
    ),
    "moodle, worksheet without names": (
        'Identifier,Status,Grade,"Maximum grade","Last modified (submission)","Online text","Last modified (grade)"\n'
        '"Participant 123","Submitted for grading -  - ",,100.00,"Monday, 30 November 2026, 3:01 PM",,-\n',
        {"participant": "123", "submitted": "2026-11-30 15:01:00"}, "Participant 123",
    ),
    "moodle, worksheet in German": (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Zuletzt geändert (Abgabe)\n"
        'Teilnehmer/in123,José Núñez Pérez,j@x.org,-,-,"Dienstag, 3. März 2026, 23:05"\n',
        {"participant": "123", "email": "j@x.org", "submitted": "2026-03-03 23:05:00"}, "José Núñez Pérez",
    ),
    "moodle, worksheet in French": (
        "Identifiant,Nom complet,Adresse de courriel,Dernière modification (travail remis)\n"
        "Participant 123,José Núñez Pérez,j@x.org,\"mardi 13 août 2026, 23:05\"\n",
        {"participant": "123", "email": "j@x.org", "submitted": "2026-08-13 23:05:00"}, "José Núñez Pérez",
    ),
    "moodle, worksheet in Spanish": (
        "Identificador,Nombre completo,Dirección de correo,Última modificación (entrega)\n"
        'Participante 123,José Núñez Pérez,j@x.org,"martes, 3 de marzo de 2026, 0:05"\n',
        {"participant": "123", "email": "j@x.org", "submitted": "2026-03-03 00:05:00"}, "José Núñez Pérez",
    ),
    "moodle, worksheet in Japanese": (
        "ID,フルネーム,メールアドレス,最終更新日時 (提出)\n参加者 123,王 小明,w@x.org,2026年 10月 1日(木曜日) 23:05\n",
        {"participant": "123", "email": "w@x.org", "submitted": "2026-10-01 23:05:00"}, "王 小明",
    ),
    "canvas, with letters that its encoding has not": (
        'Student,ID,SIS User ID,SIS Login ID,Section\n"    Points Possible",,,,\n"?, ??",70001,,w,\n',
        {"id": "70001", "sis user id": "", "sis login id": "w", "section": ""}, "?? ?",
    ),
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_list_is_read_as_it_is(kind, encoding, tmp_path):
    text, fields, student = LISTS[kind]
    path = tmp_path / "list.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    (line,) = read_roster(path)
    assert (line.students, dict(line.fields), line.submission, line.name) == ((student,) if student else (), fields, "", "")


def test_a_time_that_cannot_be_read_is_told(tmp_path):
    path = tmp_path / "list.csv"
    times = ["목요일 1 10월 2026", "-", "Thursday, 1 October 2026, 12:09 AM", "Friday, 31 February 2026, 9:05 AM"]
    lines = [f'Participant {number},A,a{number}@x.org,"{time}"\n' for number, time in enumerate(times)]
    path.write_text("".join(["Identifier,Full name,Email address,Last modified (submission)\n", *lines]))
    assert roster_notices(path)[1:] == ["list.csv: 2 with a time that cannot be read, such as '목요일 1 10월 2026'"]
    assert dict(read_roster(path)[2].fields)["submitted"] == "2026-10-01 00:09:00"


# As Moodle's language packs write five past eleven in the evening, and five past midnight; and what is no time.
TIMES = {
    "2026-10-02 23:05:00": (
        "dijous, 02 d’octubre 2026, 23:05", "xoves, 02 de outubro de 2026, 11:05 p.m.", "الجمعة، 02 أكتوبر 2026، 11:05 م",
        "Πέμπτη, 02 Οκτωβρίου 2026, 11:05 μ.μ.", "osteguna, 2026(e)ko urriaren 02(e)an, 23:05(e)tan",
        "목요일, 02 10월 2026, 11:05 오후", "ketvirtadienis, 2026 spalio 02, 23:05", "Perşembe, 02 Ekim 2026, 11:05 ÖS",
        "четвер 02 жовтня 2026 23:05 пп", "2026年10月02日 星期五 23:05", "sexta-feira, 2 de outubro de 2026 às 23:05",
        "Friday, October 2, 2026, 11:05 PM",
    ),
    "2026-11-11 00:05:00": (
        "mercuri, 11 de novembre 2026, 00:05", "Τετάρτη, 11 Νοεμβρίου 2026, 12:05 π.μ.", "수요일, 11 11월 2026, 12:05 오전",
        "Çarşamba, 11 Kasım 2026, 12:05 ÖÖ", "середа 11 листопада 2026 00:05 дп", "الأربعاء، 11 نوفمبر 2026، 12:05 ص",
    ),
    # To look for a month in a word takes a time that grows with the square of its length.
    "": (
        "x" * 200 + "Friday, 2 October 2026, 11:05 PM", "keskiviikko, 11. marraskuuta 2026, 00:05",
        "Friday, 2 October 2026, 11:05 XM", "2026年13月02日 23:05", "Friday, 2 Oc²tober 2026, 11:05 PM",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("moment", "texts"), TIMES.items())
def test_moodles_times_are_read_in_the_languages_of_its_packs(moment, texts):
    lines = "".join(f'Participant {number},A,"{text}"\n' for number, text in enumerate(texts))
    read = parse_roster(f"Identifier,Full name,Last modified (submission)\n{lines}", "list.csv")
    assert [(text, dict(line.fields).get("submitted", "")) for text, line in zip(texts, read, strict=True)] == [
        (text, moment) for text in texts
    ]


def test_which_list_it_is_is_told(tmp_path):
    told = []
    for system, written in ROSTERS.items():
        path = tmp_path / f"{system}.csv"
        path.write_text(written())
        told += roster_notices(path)
    assert told == [
        "gradescope.csv is Gradescope's roster: 8 students", "canvas.csv is Canvas's gradebook: 8 students",
        "moodle.csv is Moodle's participants: 8 students", "blackboard.csv is Blackboard's grades: 8 students",
        "github.csv is GitHub Classroom's roster: 8 students",
    ]  # fmt: skip


def test_a_roster_of_ones_own_is_read_as_before():
    text = "submission,name,students,SID,email\na.py,ann,Ann Lee,1,a@x.org\n"
    (line,) = parse_roster(text, "class.csv")
    assert (line.submission, line.name, dict(line.fields)) == ("a.py", "ann", {"sid": "1", "email": "a@x.org"})
    (line,) = parse_roster("students,sid,email,entry\nAnn Lee,1,a@x.org,agent.py\n", "class.csv")
    assert (line.students, line.entry, dict(line.fields)) == (("Ann Lee",), "agent.py", {"sid": "1", "email": "a@x.org"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n", "expected the students of Canvas's"),
        ("colour,size\nred,2\n", "line 1: expected columns submission, name, students, entry, class, got 'colour, size'"),
    ],
)
def test_a_list_of_nobody_is_one_line(text, said):
    with pytest.raises(BadRosterError, match=said):
        parse_roster(text, "class.csv")
