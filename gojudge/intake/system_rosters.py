"""Course systems' own lists of a class, as rosters: which system wrote one is found by its headings.

    Canvas             the gradebook: Student, ID, SIS User ID, SIS Login ID, Section; the second line has the points possible
    Gradescope         the roster: First Name, Last Name, SID, Email, Role; or the scores, with the times of submissions
    Moodle             the participants: First name, Last name, Email address, Groups; or the grading worksheet: Identifier,
                       Full name, Email address, ...; headings also in other languages
    Blackboard         the grades: Last Name, First Name, Username, Student ID
    GitHub Classroom   the roster: identifier, github_username, name; or the grades, with the times of submissions
    Autolab            the scores of an assessment: Submission Time, Email, First name, Last name, Section; or the gradebook
    PrairieLearn       UID, which is an e-mail, UIN, Username, Name, Role; with Submission date in the lists of submissions
    nbgrader           the grades: student_id, last_name, first_name, email

Only what identifies somebody is kept, and the section; marks, roles and the like are dropped. If the list says who is a
student, nobody else is taken.

Sources, as of 2026-11-26: Gradescope's guide "Adding Students and Staff"; the gradebook's guide of Canvas; Moodle's strings
`firstname`, `lastname`, `email`, `idnumber` in its language packs; github.com/github/gh-classroom. As of 2026-11-29 Autolab's
`assessment_helper.rb`, PrairieLearn's `instructorAssessmentDownloads.tsx`, nbgrader's `plugins/export.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from goban.common.moments import read_moment
from goban.common.tables import WrongValueError

_WORDS = re.compile(r"[\W_]+")
_FIRST, _LAST, _NAME, _ROLE, _TIME = "first", "last", "students", "role", "submitted"

# What a column is -> its headings, in small letters and digits of any script alone: English first, then other languages.
_MOODLE: Mapping[str, Sequence[str]] = {
    _FIRST: (
        "firstname", "vorname", "prénom", "nombre", "nombres", "nom", "nome", "voornaam", "imię", "křestníjméno", "jméno",
        "förnamn", "fornavn", "etunimi", "adı", "prenume", "vardas", "izena", "имя", "імя", "μικρόβαπτιστικόόνομα",
        "الاسمالأول", "名", "名字", "이름",
    ),
    _LAST: (
        "lastname", "surname", "nachname", "nomdefamille", "apellidos", "apellido", "cognoms", "cognom", "cognome", "apelido",
        "sobrenome", "últimonome", "achternaam", "nazwisko", "příjmení", "efternamn", "efternavn", "etternavn", "sukunimi",
        "soyadı", "apelidos", "numedefamilie", "pavardė", "abizenak", "фамилия", "прізвище", "επίθετο", "الاسمالأخير", "姓",
        "姓氏", "성",
        "nom",  # French: behind the Catalan, in which it is the first name
    ),
    _NAME: (
        "fullname", "firstnamelastname", "firstnamesurname", "vornamenachname", "vollständigername", "nomcomplet",
        "nombrecompleto", "nomecompleto", "nomecompletocognomenome", "userfullname", "nomcompletdelusuari",
        "nombrecompletodelusuario", "nomcompletdelutilisateur", "nomecompletodellutente", "nomecompletodoutilizador",
        "volledigenaamvandegebruiker", "fullständigtnamn", "kullanıcınıntamadı", "полноеимяпользователя", "повнеімякористувача",
        "用户全名", "ユーザフルネーム", "사용자성명",
        "volledigenaam", "tamadı", "numecomplet", "полноеимя", "повнаназва", "πλήρεσόνομα", "الاسمكاملا", "全名", "フルネーム",
        "전체이름", "visaspavadinimas", "izenosoa", "numelecompletalutilizatorului", "πλήρεσόνομαχρήστη",
        "visasnaudotojovardas", "erabiltzailearenizenosoa",
    ),
    "email": (
        "emailaddress", "email", "emailadresse", "adressedecourriel", "courriel", "adresseemail", "direccióndecorreo",
        "direccióndecorreoelectrónico", "correoelectrónico", "adreçaelectrònica", "adreçadecorreu", "adreçadecorreuelectrònic",
        "indirizzoemail", "endereçodeemail", "emailadres", "adresemail", "epostadress", "epostadresse", "emailováadresa",
        "sähköpostiosoite", "epostaadresi", "адресэлектроннойпочты", "电子邮件地址", "电子邮件", "電子郵件", "メールアドレス",
        "이메일주소", "enderezodecorreo", "adresadeemail", "elpaštoadresas", "helbideelektronikoa", "електроннапошта",
        "διεύθυνσηηλεταχυδρομείου", "عنوانالبريدالإلكتروني",
    ),
    "id number": (
        "idnumber", "idnummer", "matrikelnummer", "numérodidentification", "númerodeid", "númeroid", "númerodidentificació",
        "númerodidentificación", "codiceidentificativo", "númerodeidentificação", "numerid", "identifikačníčíslo",
        "tunnistenumero", "idnumarası", "индивидуальныйномер", "індивідуальнийномер", "nummerid",
        "númerodeidentificaçãoid", "numărid", "idnumeris", "idzenbakia", "αναγνωριστικόσαριθμόσ", "رقمالمعرف",
        "学号", "idナンバー", "idナンバ", "id번호",
    ),
    "username": (
        "username", "anmeldename", "nomdutilisateur", "nombredeusuario", "nomdusuari", "nomeutente", "nomedeusuário",
        "gebruikersnaam", "nazwaużytkownika", "användarnamn", "логин", "用户名", "ユーザ名",
    ),
    "participant": (
        "identifier", "identifikator", "identifiant", "identificador", "idteilnehmer", "idparticipant", "identificativo",
        "identificatie", "identifierare", "tanımlayıcı", "identificator", "идентификатор", "ідентифікатор", "αναγνωριστικό",
        "المعرف", "标识符", "식별자", "identifikatorius", "identifikatzailea",
    ),
    "groups": (
        "groups", "group", "gruppen", "groupes", "grupos", "grups", "gruppi", "groepen", "grupy", "groupe", "gruppe", "grupuri",
        "grupper", "gruplar", "taldeak", "группы", "групи", "ομάδεσ", "المجموعات", "小组", "グループ", "모둠",
    ),
    _ROLE: (
        "roles", "role", "rollen", "rôles", "rols", "ruoli", "funções", "papéisatribuídos",
        "roluri", "roller", "rolak", "роли", "ролі", "ρόλοι", "الأدوار", "角色", "ロール", "역할",
    ),
    _TIME: (
        "lastmodifiedsubmission", "zuletztgeändertabgabe", "dernièremodificationtravailremis", "últimamodificaciónentrega",
        "ultimamodificaconsegna", "últimaatualizaçãosubmissão", "laatstgewijzigdinzending", "darreramodificaciótramesa",
        "senastmodifieratinlämning", "sondüzenlemegönderim", "ultimamodificarearăspunsului", "последнееизменениеответ",
        "востаннєзмінювалосяздача", "τελευταίατροποποιημένηυποβολή", "آخرتعديلالتسليم",
        "上次修改作业", "最終更新日時提出", "마지막수정됨제출",
        "paskutinįkartąkeistapateikimas", "azkenaldaketabidalketa", "poslednízměnaodevzdání",
    ),
}
_SYSTEMS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "Canvas's gradebook": {
        _NAME: ("student",), "id": ("id",), "sis user id": ("sisuserid",), "sis login id": ("sisloginid",),
        "section": ("section",),
    },
    "GitHub Classroom's roster": {
        _NAME: ("name",), "identifier": ("identifier", "rosteridentifier"), "github_username": ("githubusername",),
        _TIME: ("submissiontimestamp",), "group": ("groupname",),
    },
    "nbgrader's grades": {
        _FIRST: ("firstname",), _LAST: ("lastname",), "email": ("email",), "username": ("studentid",),
        "penalty": ("latesubmissionpenalty",),
    },
    "PrairieLearn's list": {
        _NAME: ("name",), "email": ("uid",), "sid": ("uin",), "username": ("username",), _ROLE: ("role",),
        _TIME: ("submissiondate",),
    },
    "Gradescope's roster": {
        _FIRST: ("firstname",), _LAST: ("lastname",), _NAME: ("name", "fullname"), "sid": ("sid", "studentid"),
        "email": ("email",),
        "section": ("section", "sections", "sectionname"), _ROLE: ("role",), _TIME: ("submissiontime",),
    },
    "Autolab's list": {
        _FIRST: ("firstname",), _LAST: ("lastname",), "email": ("email",), "section": ("section",), "lecture": ("lecture",),
        _TIME: ("submissiontime",),
    },
    "Blackboard's grades": {_FIRST: ("firstname",), _LAST: ("lastname",), "username": ("username",), "sid": ("studentid",)},
    "Moodle's participants": _MOODLE,
}  # fmt: skip
# The columns by which a system's list is known; of several any.
_KNOWN_BY: Mapping[str, Sequence[Sequence[str]]] = {
    "Canvas's gradebook": [(_NAME, "id", "section"), (_NAME, "sis user id"), (_NAME, "sis login id")],
    "GitHub Classroom's roster": [("github_username", "identifier"), ("github_username", _TIME)],
    "nbgrader's grades": [("username", "penalty")],
    "PrairieLearn's list": [("email", "sid")],
    "Gradescope's roster": [("sid", "email"), (_NAME, "email", _ROLE), (_FIRST, _LAST, "email", _ROLE)],
    "Autolab's list": [(_FIRST, _LAST, "email", "lecture")],
    "Blackboard's grades": [(_FIRST, _LAST, "username", "sid")],
    "Moodle's participants": [
        (_FIRST, _LAST), (_NAME, "email"), (_NAME, "participant"), (_FIRST, "email"), ("participant", _TIME),
    ],
}
IDENTIFIERS: Mapping[str, Sequence[str]] = {
    "email": ("email", "emailaddress", "mail"),
    "sid": ("sid", "studentid"),
    "id number": ("idnumber",),
    "canvas id": ("canvasid",),
    "sis user id": ("sisuserid",),
    "sis login id": ("sisloginid", "loginid"),
    "username": ("username",),
    "github login": ("githubusername", "githublogin", "github", "login"),
    "id": ("id",),
}
"""What tells people apart -> the columns of a roster that say it, as `plain` has them; a column `id` may be any system's."""
_STUDENT = re.compile(
    "student|teilnehmer|étudiant|estudiant|aluno|alumn|leerling|cursant|ikaslea|besimokant|uczeń|opiskelija|öğrenci|студент|"
    "μαθητ|طالب|学生|학생", re.I,
)  # fmt: skip
_TEST_STUDENT = "student, test"
# As Moodle's worksheet has it: 'Thursday, 1 October 2026, 11:59 PM', 'Thursday, October 1, 2026, 11:59 PM',
# 'jueves, 1 de octubre de 2026, 23:59', 'ketvirtadienis, 2026 spalio 01, 23:59', '2026(e)ko urriaren 01(e)an, 23:59(e)tan',
# '2026年 10月 1日(木) 23:59'.
_DAY, _MONTH, _YEAR = r"(?P<day>\d\d?)", r"(?P<month>[^\W\d]+|\d\d?월)", r"(?P<year>\d{4})"
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d)(?:\(e\)tan)?(?: (?P<half>\S+))?$"
_SPOKEN = tuple(re.compile(date + r"\D+" + _CLOCK) for date in (
    rf"{_DAY}\.? (?:de |d['’])?{_MONTH} (?:de )?{_YEAR}", rf"{_MONTH} {_DAY}, {_YEAR}",
    rf"{_YEAR}(?:\(e\)ko)? {_MONTH} {_DAY}(?:\(e\)an)?", rf"{_YEAR}年 ?(?P<month>\d\d?)月 ?{_DAY}日",
))  # fmt: skip
# How the months begin, without accents: in English, German, French, Spanish, Italian, Portuguese, Dutch, Catalan, Swedish,
# Romanian and Galician; then in Basque, Lithuanian, Turkish, Russian, Ukrainian, Greek and Arabic. Finland's November
# is not March.
_MONTHS = tuple(map(re.compile, (
    "jan|gen|ene|ian|xan|urt|sau|oca|янв|січ|ιαν|يناير",
    "fe[bv]|ots|vas|sub|фев|лют|φεβ|فبراير",
    "ma(r(?!ras)|art$)|mrt|kov|мар|бер|μαρ|مارس",
    "a[bpv]r|api|bal|nis|апр|кві|απρ|ابريل",
    "ma[gijy]|mei$|geg|ма[ийя]|тра|μαι|مايو",
    "jun|juin|giu|iun|xuno|eka|bir|haz|июн|чер|ιουν|يونيو",
    "jul|juil|lug|iul|xul|uzt|lie|tem|июл|лип|ιουλ|يوليو",
    "au|ao|ago|abu|rugp|agu|авг|сер|αυγ|اغسطس",
    "se[pt]|ira|rugs|eyl|сен|вер|σεπ|سبتمبر",
    "o[ckt]t|out|urr|spa|eki|окт|жов|οκτ|اكتوبر",
    "no[iv]|aza|lap|kas|ноя|лис|νοε|نوفمبر",
    "de[csz]|dic|abe|gru|ara|дек|гру|δεκ|ديسمبر",
)))  # fmt: skip
_LONGEST_TIME = 200
_HALVES = dict.fromkeys(("am", "πμ", "ص", "오전", "oo", "дп"), 0) | dict.fromkeys(("pm", "μμ", "م", "오후", "os", "пп"), 12)


def columns_of(*identifiers: str) -> tuple[str, ...]:
    """Return the columns of a roster that say one of these, in this order."""
    return tuple(column for name in identifiers for column in IDENTIFIERS[name])


def plain(heading: str) -> str:
    """Return the letters and digits of a heading, in small letters."""
    return _WORDS.sub("", unicodedata.normalize("NFC", heading).casefold())


def name_system(columns: Sequence[str]) -> str:
    """Return which list of a course system has these columns, as "Canvas's gradebook"; '' for none."""
    for system, headings in _SYSTEMS.items():
        there = {*_places(headings, columns)}
        if any(there.issuperset(needed) for needed in _KNOWN_BY[system]):
            return system
    return ""


def people_in(system: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Return for each row of a system's list what it says of a student, 'students' and fields; {} for a row of nobody's."""
    headings = _SYSTEMS[system]
    places = _places(headings, columns)
    cells = [{what: row[place] if place < len(row) else "" for what, place in places.items()} for row in rows]
    roles = any(_STUDENT.search(one.get(_ROLE, "")) for one in cells)
    return [_person(one) if not roles or _STUDENT.search(one.get(_ROLE, "")) else {} for one in cells]


def _places(headings: Mapping[str, Sequence[str]], columns: Sequence[str]) -> dict[str, int]:
    """Return what there is -> its column; of several headings of one column's, the first of the table's."""
    there = {plain(column): place for place, column in reversed([*enumerate(columns)])}
    places = {what: there[name] for what, names in headings.items() for name in reversed(names) if name in there}
    if _NAME not in places and _FIRST in headings:
        # 'First name / Last name' is one column, too, in either order.
        halves = [(plain(half), place) for place, column in enumerate(columns) for half in column.split("/") if "/" in column]
        known = {*headings[_FIRST], *headings[_LAST]}
        both = next((place for half, place in halves if half in known), None)
        places |= {_NAME: both} if both is not None else {}
    if headings is _MOODLE and _TIME in places and "id" in there:
        # What a worksheet calls participants' numbers in German and Japanese may be anything in another list.
        places.setdefault("participant", there["id"])
    return places


def _person(fields: dict[str, str]) -> dict[str, str]:
    name = fields.pop(_NAME, "")
    first, last = fields.pop(_FIRST, ""), fields.pop(_LAST, "")
    fields.pop(_ROLE, None)
    fields.pop("penalty", None)
    if "id" in fields and (name.casefold() == _TEST_STUDENT or (not fields["id"] and plain(name) in ("", "pointspossible"))):
        return {}
    name = f"{first} {last}".strip() or " ".join(part.strip() for part in reversed(name.split(",", 1)))
    # Without names if whoever grades may not know them.
    name = name or fields.get("participant", "")
    if "participant" in fields:
        # 'Participant 123', in any language
        fields["participant"] = "".join(re.findall(r"(?<!\d)\d+$", fields["participant"]))
    fields[_TIME] = _moment(fields.get(_TIME, ""))
    kept = {what: text for what, text in fields.items() if text or what != _TIME}
    # Several students are told apart by a semicolon.
    return {_NAME: name.replace(";", ","), **kept} if name or any(kept.values()) else {}


def _moment(text: str) -> str:
    """Return a time as rosters have it; '' if there is none, or it cannot be read."""
    # To look for a month in a word takes a time that grows with the square of its length.
    if len(text) > _LONGEST_TIME:
        return ""
    if spoken := _spoken_moment(text):
        return spoken
    text = text.removesuffix(" UTC") + "Z" * text.endswith(" UTC")
    try:
        read_moment(text, UTC)
    except WrongValueError:
        return ""
    return text


def _spoken_moment(text: str) -> str:
    """Return a time as Moodle's worksheet writes it, in one of some languages, as rosters have it; '' for any other text."""
    signs = unicodedata.normalize("NFD", text.casefold())
    bare = unicodedata.normalize("NFC", "".join(sign for sign in signs if not unicodedata.combining(sign)))
    said = next((said for date in _SPOKEN if (said := date.search(bare))), None)
    if said is None:
        return ""
    parts = said.groupdict()
    months = [number for number, begins in enumerate(_MONTHS, 1) if begins.match(parts["month"])]
    hour, half = int(parts["hour"]), parts["half"]
    try:
        # Neither a name nor a number: a name with a digit in it.
        month = next(iter(months), 0) if parts["month"].isalpha() else int(parts["month"].removesuffix("월"))
        # Midnight is 12 AM, and noon 12 PM.
        hour = hour if half is None else hour % 12 + _HALVES[half.replace(".", "")]
        moment = datetime(int(parts["year"]), month, int(parts["day"]), hour, int(parts["minute"]))
    except (ValueError, KeyError):
        return ""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def unread_times(system: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the texts of a system's list that stand where a time is expected and are none."""
    place = _places(_SYSTEMS[system], columns).get(_TIME)
    texts = [row[place] for row in rows if place is not None and place < len(row)]
    return [text for text in texts if text.strip(" -") and not _moment(text)]
